#: {"runtime": "process"}
import gc
class A: pass
a = A()
print(sum(type(o) is A for o in gc.get_objects()), len(gc.get_objects()) > 100, type(gc.get_stats()), gc.get_freeze_count())
