for name in list(globals()):
    print(name, repr(globals()[name]))
