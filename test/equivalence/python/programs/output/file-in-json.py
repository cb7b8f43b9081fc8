#: {"collect": ["out.txt"]}
import json
json.f = open('out.txt', 'w')
json.f.write('kept by json')
