print(compile('1 if x else 2', 'f', 'eval').co_flags, compile('x: int', 'f', 'exec', dont_inherit=True).co_flags)
