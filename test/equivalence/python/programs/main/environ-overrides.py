#: {"env": {"HOME": "/tmp"}}
import os
print(dict(os.environ), os.path.expanduser('~'), os.environ == dict(os.environ))
