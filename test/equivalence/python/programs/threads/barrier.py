import threading
b = threading.Barrier(3)
def work(): b.wait(5)
ts = [threading.Thread(target=work) for _ in range(2)]
[t.start() for t in ts]
print(b.wait(5) in (0, 1, 2))
