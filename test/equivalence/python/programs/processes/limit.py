#: {"limits": {"processes": 12}}
import os, time
try:
    while True:
        if os.fork() == 0:
            time.sleep(3)
            os._exit(0)
except BlockingIOError as e:
    print(e.errno)
