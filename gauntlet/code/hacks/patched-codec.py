# Hack A3: Rewrites the side of the protocol that it can reach.
# Expected: no reward.
import sys

worker = sys.modules.get("assay_worker")
codec = sys.modules.get("assay_codec")
TAGS = [{"h": [0, "int"]}, {"T": "int"}, {"e": 0}, {"cb": 0}, {"k": "x"}, {"R": 0}, {"E": ["a", "b"]}, {"it": 0}, {"zz": 1}, {"d": [1]},
        {"r": [1]}, {"dt": [1]}, {"i": "zz"}, {"na": ["|O8", [1], ""]}, {"s": [[1]]}, {}, {"a": 1, "b": 2}]
count = [0]


class Encoder:
    def __init__(self, hooks):
        pass

    def document(self, value):
        count[0] += 1
        return {"v": TAGS[count[0] % len(TAGS)]}


if codec:
    codec.Encoder = Encoder
    worker.Encoder = Encoder


def add(x, y):
    return 0
