x: int = 1
y: 'str'
print(__annotations__)
class C:
    z: float
print(C.__annotations__, C.__module__, C.__qualname__)
