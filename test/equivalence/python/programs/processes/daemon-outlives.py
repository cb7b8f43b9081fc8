import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(5)
        print('never', flush=True)
    os._exit(0)
os.wait()
print('end')
