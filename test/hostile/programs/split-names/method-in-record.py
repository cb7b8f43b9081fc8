"""A record whose method is replaced by an object of this side."""


class Yes:
    def __call__(self, *args):
        return True


def chain(x):
    made = Node(7)
    made.same = Yes()
    return made
