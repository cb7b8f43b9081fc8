import sympy as sp

x, n = sp.symbols("x n", integer=True)
expression = sp.Sum(1 / x**2, (x, 1, n)) + sp.sqrt(sp.Integral(sp.sin(x), x)) / sp.Symbol("alpha")
print(expression, sp.latex(expression), sp.srepr(expression), sep="\n")
sp.pprint(expression)
sp.init_printing(use_unicode=False)
sp.pprint(sp.Matrix([[x, n], [1, 2]]))
print(sp.factorint(360), list(sp.primerange(20)), sp.nextprime(100), sp.isprime(97))
