# One checker in every convention that is a program; `convention` is what is put in place of NAME.
import sys
import time

NAME = "CONVENTION"
ORDERS = {
    "cms": "iao",
    "kattis": "iaf",
    "default": "ioa",
    "testlib": "ioa",
    "coci": "ioa",
    "peg": "aoi",
    "python_file": "iao",
}
paths = dict(zip(ORDERS[NAME], sys.argv[1:]))
assert len(sys.argv) == 4, sys.argv


def read(path):
    with open(path, "rb") as file:
        return file.read()


given, answer = read(paths["i"]), read(paths["a"])
output = sys.stdin.buffer.read() if NAME == "kattis" else read(paths["o"])
assert sum(map(int, given.split())) == int(answer), "this is no answer"


def kattis(score, accepted):
    if score is not None:
        with open(paths["f"] + "score.txt", "w") as file:
            file.write(score)
    with open(paths["f"] + "judgemessage.txt", "w") as file:
        file.write("said so\nand more")
    sys.exit(42 if accepted else 43)


def end(verdict):
    """Ends as the convention says it: accepted, refused, half."""
    if NAME == "cms":
        print({"accepted": "1.0", "refused": "0.0", "half": "0.5"}[verdict])
        print("translate:" + verdict, file=sys.stderr)
    elif NAME == "kattis":
        kattis({"half": "0.5"}.get(verdict), verdict != "refused")
    elif NAME == "python_file":
        print(" 1 00 " if verdict == "accepted" else verdict)
    elif NAME == "peg":
        if verdict == "half":
            print("words\n5\n10\n")
        sys.exit(verdict == "refused")
    elif verdict == "half" and NAME == "testlib":
        print("points 5", file=sys.stderr)
        sys.exit(7)
    elif verdict == "half" and NAME == "coci":
        print("noise\npartial 3/6", file=sys.stderr)
        sys.exit(7)
    elif verdict == "half":
        sys.exit(9)
    else:
        sys.exit(verdict == "refused")


said = output.strip()
if said == b"1002":
    raise SystemError("crash")
if said == b"1003":
    while True:
        pass
if said == b"1004":
    time.sleep(1000)
if said == b"1005":
    end("half")
elif said == b"1007":
    print("0x1p0")
    sys.exit(0 if NAME == "cms" else 77)
else:
    end("accepted" if said == answer.strip() else "refused")
