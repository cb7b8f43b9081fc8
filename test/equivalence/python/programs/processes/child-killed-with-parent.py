import os, time
if os.fork() == 0:
    time.sleep(5)
print('parent ends')
