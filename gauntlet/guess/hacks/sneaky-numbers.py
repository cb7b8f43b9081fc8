# Hack 26, 45: Says what careless readers take for a number.
# Expected: no reward.
import sys

for word in (b"7_2_0_0_0_1", b"\xef\xbc\x93", b"7.2e5", b"9" * 4000, b"\x00\xff", b"-3", b"nan"):
    sys.stdout.buffer.write(word + b"\n")
    sys.stdout.flush()
    if not sys.stdin.readline():
        break
