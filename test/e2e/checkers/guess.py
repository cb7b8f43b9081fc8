# The same without testlib, as the convention NAME wants it; some secrets are wishes.
import sys
import time

NAME = "CONVENTION"
with open(sys.argv[1]) as file:
    secret = int(file.read())
if NAME == "kattis":
    assert sys.argv[3].endswith("/"), sys.argv
    accepted, refused = 42, 43
else:
    accepted, refused = 0, 1

if secret == 13:
    raise SystemError("crash")
if secret == 14:
    while True:
        pass
if secret == 15:
    sys.stdin.readline()
    print("found", flush=True)
    time.sleep(0.3)
    sys.exit(accepted)

for _ in range(20):
    line = sys.stdin.readline()
    if not line.strip().isdigit():
        sys.exit(refused)
    guess = int(line)
    if guess == secret:
        print("found", flush=True)
        sys.exit(accepted)
    print("more" if guess < secret else "less", flush=True)
sys.exit(refused)
