# Hack 91: Is right where that is easy, and hangs where it is hard.
# Expected: no reward.
t = int(input())
if t > 1:
    while True:
        pass
print(sum(map(int, input().split())))
