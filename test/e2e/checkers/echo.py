# Sends as many numbers as the input says, one at a time, and wants each of them back; then a long line.
import sys

with open(sys.argv[1]) as file:
    rounds, length = map(int, file.read().split())
for i in range(rounds):
    print(i, flush=True)
    if sys.stdin.readline() != f"{i}\n":
        sys.exit(1)
long = "x" * length
print(long, flush=True)
sys.exit(sys.stdin.readline() != long + "\n")
