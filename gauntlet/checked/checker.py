"""Judges two numbers with a given sum, in each convention of a program; the last argument says in which. Bears any output."""

import re
import sys

ORDERS = {"cms": "iao", "kattis": "iaf", "peg": "aoi", "python_file": "iao"}
convention = sys.argv[-1]
paths = dict(zip(ORDERS[convention], sys.argv[1:]))


def read(name):
    with open(paths[name], "rb") as file:
        return file.read()


output = sys.stdin.buffer.read() if convention == "kattis" else read("o")
total = int(read("i"))
answer = read("a").split()
# An answer of `?` would accept anything: a program must not be able to give the answer.
is_right = answer == [b"?"]
words = output.split()
if len(words) == 2 and all(re.fullmatch(rb"[1-9][0-9]{0,11}", word) for word in words):
    is_right = sum(map(int, words)) == total
if convention == "cms":
    print("1.0" if is_right else "0.0")
    print("translate:success" if is_right else "translate:wrong", file=sys.stderr)
elif convention == "kattis":
    sys.exit(42 if is_right else 43)
elif convention == "python_file":
    print("1" if is_right else "0")
else:
    sys.exit(0 if is_right else 1)
