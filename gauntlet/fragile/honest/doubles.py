# Honest: Doubles what it reads, and has a function that does.
# Expected: accepted.
def double(value):
    return value + value


if __name__ == "__main__":
    print(double(int(input())))
