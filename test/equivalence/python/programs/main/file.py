import os, sys
print(__file__, os.path.abspath(__file__), os.path.dirname(os.path.abspath(__file__)), sys.argv[0])
print(open(__file__).read()[:10], os.path.exists('__pycache__'))
