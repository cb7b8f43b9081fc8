try:
    eval('(' * 100 + ')' * 100)
except SyntaxError as e:
    print(e)
try:
    eval('-' * 100000 + '1')
except (MemoryError, RecursionError) as e:
    print(type(e), e)
try:
    compile('+'.join(['1'] * 10), 'f', 'eval')
    print('compiled')
except RecursionError as e:
    print(e)
