m = __import__('os.path')
print(m.__name__, __import__('os.path', fromlist=['x']).__name__)
