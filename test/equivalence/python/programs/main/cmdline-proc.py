#: {"args": ["a", "b"], "runtime": "process"}
print(open('/proc/self/cmdline', 'rb').read())
