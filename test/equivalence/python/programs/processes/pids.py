import os
print(os.getpid(), os.getppid(), os.getpgid(0), os.getsid(0), os.getpgrp())
try:
    print(os.tcgetpgrp(0))
except OSError as e:
    print(e)
