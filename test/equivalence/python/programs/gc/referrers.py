#: {"runtime": "process"}
import gc
class A: pass
a = A()
holder = [a]
print(len(gc.get_referrers(a)), gc.is_tracked(a), gc.get_referents(holder) == [a])
