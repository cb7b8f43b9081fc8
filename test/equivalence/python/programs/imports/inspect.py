import inspect
def f(a, b=1, *c, d: int = 2, **e):
    "doc"
    return a
print(inspect.getsource(f), inspect.signature(f), inspect.getfile(f), inspect.getdoc(f), inspect.getmodule(f))
print([s.function for s in inspect.stack()], inspect.currentframe().f_lineno, inspect.getsourcelines(f)[1])
