import threading
class A:
    def __del__(self):
        t = threading.Thread(target=print, args=('in thread',))
        try:
            t.start()
            t.join()
        except RuntimeError as e:
            print(e)
a = A()
