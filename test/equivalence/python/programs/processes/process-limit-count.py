#: {"limits": {"processes": 10}}
import threading
ts, go = [], threading.Event()
try:
    for _ in range(100):
        t = threading.Thread(target=go.wait)
        t.start()
        ts.append(t)
except RuntimeError as e:
    print(len(ts), e)
go.set()
