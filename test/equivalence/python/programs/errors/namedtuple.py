from collections import namedtuple
namedtuple('A', 'x y')(1)
