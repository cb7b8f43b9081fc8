import math
print(0.1 + 0.2, 1e308 * 10, math.nan, -0.0, repr(1 / 3), round(2.675, 2), f'{math.pi:.20f}', float('1e-320'), math.fsum([0.1] * 10), sum([0.1] * 10))
