import mmap, os
m = mmap.mmap(-1, 4096)
m[:3] = b'abc'
print(m[:4])
with open('f', 'wb') as f: f.write(b'x' * 5000)
with open('f', 'r+b') as f, mmap.mmap(f.fileno(), 0) as g: print(len(g))
