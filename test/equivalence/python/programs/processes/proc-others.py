#: {"runtime": "process"}
import os
for p in '/proc/1/status', '/proc/1/environ', '/proc/1/root', '/proc/cpuinfo', '/proc/meminfo', '/proc/uptime', '/proc/loadavg', '/proc/self/cgroup', '/proc/self/loginuid':
    try:
        print(p, len(open(p).read()) > 0)
    except OSError as e:
        print(p, e.strerror)
