import os, signal
os.killpg(os.getpgid(0), signal.SIGTERM)
