import math
value = 1
try:
    print(valeu)
except NameError as e:
    print(e)
math.flor(1)
