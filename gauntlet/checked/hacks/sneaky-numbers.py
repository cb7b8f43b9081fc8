# Hack 30, 45: Prints numbers that careless readers take: NaN, a negative one, a fraction, an exponent.
# Expected: no reward.
print(["nan nan", "6 -1", "2.5 2.5", "5e0 0", "1_0 1", "0x1 0x4"][int(input()) % 6])
