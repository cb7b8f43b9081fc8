import warnings
warnings.simplefilter('always')
def f():
    open('/dev/null')
f()
x = open('/dev/null')
