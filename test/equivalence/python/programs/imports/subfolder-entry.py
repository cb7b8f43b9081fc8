#: {"runtime": "process"}
import os
os.mkdir('lib')
open('lib/late.py', 'w').write('x = 5')
import sys
sys.path.append('lib')
import late
print(late.x, late.__file__)
