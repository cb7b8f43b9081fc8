import sympy

x = sympy.Symbol("x")
if x > 1:
    print("no")
