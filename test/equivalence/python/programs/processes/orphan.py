import os, time
if os.fork() == 0:
    if os.fork() == 0:
        time.sleep(0.02)
        print('orphan', flush=True)
        os._exit(0)
    os._exit(0)
os.wait()
time.sleep(0.1)
print('end')
