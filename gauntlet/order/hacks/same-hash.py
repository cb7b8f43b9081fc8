# Hack 33: Members that are all of one hash and equal to each other.
# Expected: no reward.
class Same(int):
    def __hash__(self):
        return 0

    def __eq__(self, other):
        return True


def order(values):
    return [Same(0) for _ in values]
