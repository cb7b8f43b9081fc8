#: {"collect": ["out.txt"], "files": {"helper.py": "f = open('out.txt', 'w')\nf.write('by a module')\n"}}
import helper
