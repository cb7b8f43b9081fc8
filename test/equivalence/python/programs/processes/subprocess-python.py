#: {"runtime": "process"}
import subprocess, sys
r = subprocess.run([sys.executable, '-c', 'import sys; print(sys.argv, sys.path[0], sys.flags.isolated); sys.exit(4)', 'a'], capture_output=True, text=True)
print(r.returncode, r.stdout, r.stderr)
