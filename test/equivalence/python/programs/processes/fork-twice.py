import os
for i in range(3):
    if os.fork() == 0:
        os._exit(i)
print(sorted(os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(3)))
try:
    os.wait()
except ChildProcessError as e:
    print(e)
