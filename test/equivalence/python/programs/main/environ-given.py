#: {"env": {"NAME": "välue", "EMPTY": "", "Z": "a=b"}}
import os, subprocess
print(dict(os.environ), os.getenv('NAME'), os.environ.get('NOPE'), os.environb[b'NAME'])
print(subprocess.run(['/usr/bin/env'], capture_output=True).stdout)
os.environ['NEW'] = '1'
del os.environ['EMPTY']
print(subprocess.run(['/usr/bin/env'], capture_output=True).stdout)
