# Hack 41, 45: Prints numbers with a point, an exponent or an underscore.
# Expected: no reward.
for n in range(int(input())):
    a, b = map(int, input().split())
    print([f"{a + b}.0", f"{a + b:_}", f"{a + b:e}", f"+{a + b}"][n % 4])
