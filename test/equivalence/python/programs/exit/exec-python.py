import os, sys
print('kept', flush=True)
os.execv(sys.executable, [sys.executable, '-c', 'import sys; print(sys.argv, sys.orig_argv); sys.exit(4)', 'a'])
