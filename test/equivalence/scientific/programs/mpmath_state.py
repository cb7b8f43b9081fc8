import mpmath

print(mpmath.mp, mpmath.sqrt(2), mpmath.quad(mpmath.sin, [0, mpmath.pi]))
mpmath.mp.dps = 40
print(mpmath.pi, mpmath.zeta(3))
