from enum import Enum
class C(Enum):
    A = 1
C(2)
