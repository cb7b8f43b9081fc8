import builtins
print(__builtins__ is builtins, len(dir(builtins)), dir(builtins))
