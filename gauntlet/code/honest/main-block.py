# Honest: Has a main block that would wait for input.
# Expected: accepted.
def add(x, y):
    return x + y


if __name__ == "__main__":
    raise SystemExit(input())
