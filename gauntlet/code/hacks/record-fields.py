# Hack A3: Sends a record whose fields are none.
# Expected: no reward.
import sys

worker = sys.modules.get("assay_worker")


class Encoder:
    def __init__(self, hooks):
        pass

    def document(self, value):
        return {"v": {"R": 0}, "r": [["Node", [["__class__", 1], ["__eq__", 1]]]]}


if worker:
    worker.Encoder = Encoder


def add(x, y):
    return 0
