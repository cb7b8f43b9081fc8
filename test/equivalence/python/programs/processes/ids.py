import os
print(os.getuid(), os.geteuid(), os.getresuid(), os.getresgid(), os.getgroups(), os.getlogin if 0 else '')
import getpass, pwd
print(getpass.getuser(), pwd.getpwuid(os.getuid()))
