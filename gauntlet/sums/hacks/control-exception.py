# Hack 12: Ends by an exception that is no Exception, after a first right line.
# Expected: no reward.
input()
a, b = map(int, input().split())
print(a + b, flush=True)
raise KeyboardInterrupt
