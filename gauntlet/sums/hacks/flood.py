# Hack 119: Prints for ever.
# Expected: no reward.
while True:
    print("7\n" * 65536)
