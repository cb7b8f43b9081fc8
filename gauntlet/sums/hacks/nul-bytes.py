# Hack 120: Prints NUL, carriage returns and escapes around the right numbers.
# Expected: no reward.
for _ in range(int(input())):
    print("0\x00\r\x1b[2K" + str(sum(map(int, input().split()))) + "\x08")
