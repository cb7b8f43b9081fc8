#: {"files": {"helper.py": "x = 1\n"}}
import sys
sys.dont_write_bytecode = False
import helper, os
print(sorted(os.listdir('.')), os.listdir('__pycache__'))
