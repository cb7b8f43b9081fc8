#: {"files": {"csv.py": "x = 1\n"}}
import csv
print(csv.x)
