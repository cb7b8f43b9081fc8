#: {"runtime": "process"}
import sys
sys.addaudithook(lambda e, a: print(a[0]) if e == 'import' else None)
import json
