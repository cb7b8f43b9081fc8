import os
pid = os.posix_spawn('/bin/echo', ['echo', 'spawned'], os.environ)
print(os.waitpid(pid, 0)[1])
