class M(type):
    def __getattribute__(cls, name):
        return super().__getattribute__(name)
    def __del__(cls): print('class', cls.__name__)
    def __hash__(cls): print('hash'); return 1
    def __eq__(cls, other): print('eq'); return False
class A(metaclass=M): pass
a = A()
print('end')
