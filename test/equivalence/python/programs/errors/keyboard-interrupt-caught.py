try:
    raise KeyboardInterrupt
except BaseException as e:
    print(repr(e))
