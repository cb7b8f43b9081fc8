def f():
    x += 1
f()
