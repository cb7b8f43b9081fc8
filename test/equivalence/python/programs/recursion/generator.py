def g(n):
    if n:
        yield from g(n - 1)
    yield n
print(sum(g(200)))
try:
    sum(g(5000))
except RecursionError as e:
    print(e)
