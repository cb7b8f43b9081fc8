from typing import *
T = TypeVar('T')
class S(Generic[T]):
    pass
class N(NamedTuple):
    a: int
    b: str = 'x'
class D(TypedDict):
    k: int
print(S[int], N(1), D(k=1), Optional[List[int]], get_type_hints(N), Union[int, str], Callable[[int], str])
