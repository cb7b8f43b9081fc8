import signal, os, time
print(signal.getitimer(signal.ITIMER_REAL), signal.getitimer(signal.ITIMER_PROF), signal.getitimer(signal.ITIMER_VIRTUAL))
