from sympy import *

x, y = symbols("x y")
print(simplify(sin(x) ** 2 + cos(x) ** 2), expand((x + y) ** 4), factor(x**3 - 1), apart(1 / (x**2 - 1)))
print(solve(x**2 - 5 * x + 6, x), solve([x + y - 3, x - y - 1], [x, y]), nsolve(cos(x) - x, 1))
print(diff(exp(x**2), x), integrate(x * exp(x), x), limit(sin(x) / x, x, 0), series(exp(x), x, 0, 5))
print(Matrix([[1, 2], [3, 4]]).inv(), Rational(1, 3) + Rational(1, 6), pi.evalf(30))
