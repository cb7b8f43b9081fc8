import os
try:
    os.setsid()
except PermissionError as e:
    print(e)
os.setpgid(0, 0)
