import os, signal
for s in signal.SIGTERM, signal.SIGKILL:
    try:
        os.kill(1, s)
    except OSError as e:
        print(e)
print('alive')
