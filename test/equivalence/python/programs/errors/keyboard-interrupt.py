def f():
    raise KeyboardInterrupt('stop')
f()
