# Has a main block that would wait for input.
def add(x, y):
    return x + y


if __name__ == "__main__":
    raise SystemExit(input())
