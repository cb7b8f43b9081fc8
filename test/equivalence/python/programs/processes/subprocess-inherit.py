#: {"stdin": "from parent\n"}
import subprocess, sys
print('first', flush=True)
subprocess.run([sys.executable, '-c', 'print(input())'])
