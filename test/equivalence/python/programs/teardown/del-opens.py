#: {"runtime": "process"}
class A:
    def __del__(self):
        print(open(__file__ if '__file__' in globals() else '/work/main.py').readline(), end='')
a = A()
