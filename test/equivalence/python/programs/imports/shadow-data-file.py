#: {"files": {"data.json": "[1]", "random.txt": "x"}, "runtime": "process"}
import json, random
print(json.load(open('data.json')))
