print(open('/proc/self/limits').read())
