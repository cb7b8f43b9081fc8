import signal
signal.setitimer(signal.ITIMER_REAL, 0.05)
signal.pause()
