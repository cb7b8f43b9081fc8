import os
print(os.system('exit 2'), os.popen('echo popen').read(), end='')
