"""Answers twenty guesses at a number of 1 … 1000000; the last argument says in which convention it ends."""

import sys

ACCEPTED, REFUSED = (42, 43) if sys.argv[-1] == "kattis" else (0, 1)
with open(sys.argv[1]) as file:
    secret = int(file.read())
for _ in range(20):
    line = sys.stdin.buffer.readline(64).strip()
    if not line.isdigit():
        sys.exit(REFUSED)
    guess = int(line)
    if guess == secret:
        print("found", flush=True)
        sys.exit(ACCEPTED)
    try:
        print("more" if guess < secret else "less", flush=True)
    except BrokenPipeError:
        sys.exit(REFUSED)
sys.exit(REFUSED)
