#: {"collect": ["out.txt"]}
class A: pass
a = A()
a.me = a
a.f = open('out.txt', 'w')
a.f.write('in a cycle')
