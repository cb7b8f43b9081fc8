from enum import Enum, auto, IntFlag, unique
class C(Enum):
    A = auto()
    B = auto()
class F(IntFlag):
    X = 1
    Y = 2
print(list(C), C.A, C['B'].value, F.X | F.Y, F(3), repr(C.A), C.A < C.B if False else '')
