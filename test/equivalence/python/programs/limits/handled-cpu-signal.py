#: {"limits": {"cpu_ms": 300, "wall_ms": 20000}}
import signal
signal.signal(signal.SIGXCPU, signal.SIG_IGN)
while True: pass
