import builtins
print(exit, quit, help, copyright, type(license), credits)
print(_ if '_' in dir(builtins) else 'no _')
