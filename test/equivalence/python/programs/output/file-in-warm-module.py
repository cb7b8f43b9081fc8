#: {"collect": ["out.txt"]}
import math
math.f = open('out.txt', 'w')
math.f.write('kept by math')
