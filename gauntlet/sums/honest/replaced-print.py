# Honest: Has print and input of its own, and buffers.
# Expected: accepted.
import io
import sys

out = io.StringIO()
input = sys.stdin.readline


def print(*values):
    out.write(" ".join(map(str, values)) + "\n")


for _ in range(int(input())):
    print(sum(map(int, input().split())))
sys.stdout.write(out.getvalue())
