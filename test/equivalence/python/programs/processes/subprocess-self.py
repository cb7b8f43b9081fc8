import subprocess, sys
if len(sys.argv) > 1:
    print('inner', sys.argv[1:], __name__)
else:
    print(subprocess.run([sys.executable, __file__, 'x'], capture_output=True, text=True))
