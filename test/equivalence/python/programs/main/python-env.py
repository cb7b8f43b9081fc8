#: {"env": {"PYTHONIOENCODING": "latin-1"}, "runtime": "process"}
import sys
print(sys.stdout.encoding, 'é')
