import __main__
value = 5
print(__main__.value, __main__.__name__, __main__ is __import__('__main__'), __main__)
