# Hack A1: Finds the number, and fails.
# Expected: no reward.
low, high = 1, 1_000_000
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    word = input()
    if word == "found":
        raise SystemExit(1)
    low, high = (middle + 1, high) if word == "more" else (low, middle - 1)
