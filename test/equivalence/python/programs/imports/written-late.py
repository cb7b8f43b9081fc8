#: {"runtime": "process"}
try:
    import later
except ImportError as e:
    print(e)
open('later.py', 'w').write('x = 1')
try:
    import later
    print(later.x)
except ImportError as e:
    print(e)
