# Honest: Recurses a hundred thousand times, in a thread with a stack of its own.
# Expected: accepted.
import sys
import threading

sys.setrecursionlimit(300_000)
threading.stack_size(256 << 20)


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def main():
    assert deep(100_000) == 100_000
    for _ in range(int(input())):
        print(sum(map(int, input().split())))


thread = threading.Thread(target=main)
thread.start()
thread.join()
