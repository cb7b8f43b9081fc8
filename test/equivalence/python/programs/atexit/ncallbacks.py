import atexit
print(atexit._ncallbacks())
