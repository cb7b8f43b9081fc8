import contextvars
class A:
    def __del__(self): print('del var')
var = contextvars.ContextVar('v')
var.set(A())
print('end')
