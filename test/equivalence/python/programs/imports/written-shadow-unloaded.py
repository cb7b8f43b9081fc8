#: {"runtime": "process"}
open('csv.py', 'w').write('print("shadow loaded")')
import csv
