#: {"runtime": "process"}
open('main.py', 'w').write('different = True\n' * 20)
def f():
    raise ValueError('the source is another now')


f()
