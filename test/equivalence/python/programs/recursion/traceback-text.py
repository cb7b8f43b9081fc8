import traceback
def f(n): return f(n + 1)
try:
    f(0)
except RecursionError:
    text = traceback.format_exc()
    print(len(text.splitlines()), text[-300:])
