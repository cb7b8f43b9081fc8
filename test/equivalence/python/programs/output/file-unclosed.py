f = open('out.txt', 'w')
f.write('data')
import atexit
atexit.register(lambda: print(repr(open('out.txt').read())))
