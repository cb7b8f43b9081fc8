import traceback, sys
def f():
    return {}['x']
try:
    f()
except KeyError:
    traceback.print_exc()
    print(traceback.format_exc())
    print(traceback.extract_tb(sys.exc_info()[2]))
