import subprocess, sys, os
code = 'import os; print(sorted(os.environ.items()))'
print(subprocess.run([sys.executable, '-c', code], capture_output=True, text=True).stdout)
print(subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, env={'A': '1'}).stdout)
