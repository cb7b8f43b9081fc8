#: {"runtime": "process"}
import numbers, collections.abc, decimal, fractions
print(isinstance(decimal.Decimal(1), numbers.Number), isinstance(fractions.Fraction(1), numbers.Rational), issubclass(list, collections.abc.Sequence), isinstance({}, collections.abc.Mapping))
class A:
    def __len__(self): return 1
print(isinstance(A(), collections.abc.Sized))
