import signal
def handler(number, frame):
    print('alarm', number, frame.f_lineno > 0)
    raise SystemExit(3)
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.05)
signal.pause()
