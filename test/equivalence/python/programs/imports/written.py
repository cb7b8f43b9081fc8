#: {"runtime": "process"}
open('fresh.py', 'w').write('print("fresh", __name__)\nvalue = 3\n')
import fresh
print(fresh.value)
open('fresh2.py', 'w').write('from fresh import value\n')
import fresh2
print(fresh2.value)
import os
print(sorted(os.listdir('.')))
