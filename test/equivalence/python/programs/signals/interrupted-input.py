#: {"stdin": ""}
import signal
signal.signal(signal.SIGALRM, lambda *a: print('tick'))
signal.setitimer(signal.ITIMER_REAL, 0.02)
import time
time.sleep(0.1)
print('slept')
