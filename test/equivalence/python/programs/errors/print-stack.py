import traceback
def f():
    traceback.print_stack()
    print(traceback.format_stack(), len(traceback.extract_stack()))
f()
