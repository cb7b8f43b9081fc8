#: {"stdin": "a\nb\nc\n"}
import subprocess, sys
print(subprocess.run(['/bin/cat'], capture_output=True, text=True).stdout.split())
print(repr(sys.stdin.read()))
