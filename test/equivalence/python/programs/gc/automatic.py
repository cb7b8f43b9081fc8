import weakref
class A: pass
refs = []
for i in range(3000):
    a = A(); a.me = a
    refs.append(weakref.ref(a))
print(sum(r() is not None for r in refs) < 2000)
