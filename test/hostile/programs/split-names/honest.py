"""Right, with names that modules have, too."""
import math
from math import isclose


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __lt__(self, length):
        return abs(self) < length

    def __contains__(self, number):
        return number in (self.x, self.y)

    def __iter__(self):
        return iter((self.x, self.y))

    def moved(self, dx):
        self.x += dx
        return self


def vector(x, y):
    return Vector(x, y)


def bisect(items, item):
    return items.index(item)


queue = [1, 2]


def double(x):
    return 2 * x


def chain(x):
    return Node(x)
