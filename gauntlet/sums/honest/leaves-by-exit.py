# Honest: Leaves by sys.exit from deep inside, with 0.
# Expected: accepted.
import sys


def main():
    for _ in range(int(input())):
        print(sum(map(int, input().split())))
    sys.exit(0)


try:
    main()
finally:
    print("done", file=sys.stderr)
