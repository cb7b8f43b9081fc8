#: {"collect": ["out.txt"]}
import os
f = open('out.txt', 'w')
f.write('lost')
os._exit(0)
