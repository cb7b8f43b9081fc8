import subprocess, sys
p = subprocess.Popen([sys.executable, '-c', 'print(sum(map(int, open(0).read().split())))'], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(p.communicate(b'1 2 3'))
