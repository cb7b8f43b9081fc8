import sys
print(sys.argv, sys.orig_argv, sys.executable, sys._base_executable)
