import subprocess
print(subprocess.run(['/bin/echo', 'hi'], capture_output=True, text=True))
print(subprocess.run('exit 3', shell=True).returncode, subprocess.getoutput('echo x'))
