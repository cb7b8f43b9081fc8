import subprocess
try:
    subprocess.run(['/bin/sleep', '5'], timeout=0.05)
except subprocess.TimeoutExpired as e:
    print(e.cmd)
