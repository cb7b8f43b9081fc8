# Orders of sets and of terms: what could depend on what was made before. The numbers of dummies begin at random.
import sympy
from sympy import Dummy, FiniteSet, Symbol, Wild, symbols

print(Dummy().dummy_index < Dummy().dummy_index, [Dummy("d").name for _ in range(2)])
print(set(symbols("a b c d e")), FiniteSet(*symbols("z y x w")), hash(Symbol("x")) == hash(Symbol("x")))
print(sympy.srepr(sympy.Lambda(Symbol("t"), Symbol("t") + 1)), Wild("w").matches(Symbol("x")))
x = Symbol("x")
print(list((x + sum(symbols("a0:6"))).args), (x**2 + 1).atoms(), (x + Symbol("y")).free_symbols)
print(sympy.solveset(sympy.sin(x), x), sympy.dsolve(sympy.Function("f")(x).diff(x) - 1))
