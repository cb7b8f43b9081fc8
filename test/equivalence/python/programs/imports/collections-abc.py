from collections.abc import Sequence, Iterable
from collections import abc
import typing
print(abc.Mapping, isinstance([], Sequence), abc.Sequence is Sequence)
