#: {"runtime": "process"}
import gc
class A: pass
gc.set_debug(gc.DEBUG_SAVEALL)
a = A(); a.me = a; del a
print(gc.collect() > 0, len(gc.garbage) > 0)
