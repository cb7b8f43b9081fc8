#: {"env": {"PYTHONUNBUFFERED": "1"}, "runtime": "process"}
import sys, os
print('kept', sys.stdout.write_through)
os._exit(0)
