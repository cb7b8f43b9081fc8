import subprocess
print(subprocess.run(['/bin/sh', '-c', 'ulimit -a; umask'], capture_output=True, text=True).stdout)
