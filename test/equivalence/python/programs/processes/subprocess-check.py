import subprocess
subprocess.run(['/bin/false'], check=True)
