import sympy

first, second = sympy.Dummy("q"), sympy.Dummy("q")
print(first == second, second.dummy_index - first.dummy_index, sorted([second, first], key=sympy.default_sort_key)[0] is first)
print(sympy.integrate(sympy.Symbol("x") ** 2, (sympy.Symbol("x"), 0, 1)), sympy.RootSum(sympy.Poly("x**5+x+1")))
