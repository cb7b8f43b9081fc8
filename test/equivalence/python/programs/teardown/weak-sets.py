import weakref
class A: pass
kept = [A() for _ in range(3)]
s = weakref.WeakSet(kept)
k = weakref.WeakKeyDictionary({a: 1 for a in kept})
v = weakref.WeakValueDictionary({i: a for i, a in enumerate(kept)})
print(len(s), len(k), len(v))
