print(list(vars()), list(globals()) == list(vars()), vars() is globals(), locals() is globals())
print(dir())
