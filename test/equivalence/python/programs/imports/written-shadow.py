#: {"runtime": "process"}
open('json.py', 'w').write('print("shadow loaded")\ndumps = lambda x: "mine"')
import json
print(json.dumps(1))
