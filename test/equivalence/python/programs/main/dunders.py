print(__name__, __file__, __doc__, __package__, __spec__, __loader__, __builtins__, __annotations__)
print(__cached__)
