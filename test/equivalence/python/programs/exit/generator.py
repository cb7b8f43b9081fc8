def g():
    try:
        yield
    finally:
        print('gen closed')
x = g()
next(x)
raise SystemExit(2)
