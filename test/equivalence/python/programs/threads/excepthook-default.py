import threading
def f():
    try:
        1 / 0
    except ZeroDivisionError as e:
        raise KeyError('in thread') from e
t = threading.Thread(target=f, name='T-1'); t.start(); t.join()
