def f(n):
    try:
        if n:
            f(n - 1)
        else:
            1 / 0
    except Exception as e:
        raise ValueError(n) from e
f(30)
