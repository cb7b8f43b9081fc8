print(open('/proc/self/cgroup').read().count('\n') > 0)
