# How: reads every counter of the whole machine that a kernel offers as a file.
# Expected: exited 0; every line says "no": it is not there, or holds nothing but zeros.
import glob
import re

PATHS = ["loadavg", "stat", "vmstat", "schedstat", "interrupts", "softirqs", "locks", "diskstats", "zoneinfo", "buddyinfo", "slabinfo"]
PATHS += ["pressure/cpu", "pressure/memory", "pressure/io", "timer_list", "sched_debug", "net/sockstat", "net/snmp", "sys/fs/file-nr"]
PATHS += ["sys/fs/inode-nr", "sys/fs/dentry-state", "sys/kernel/random/entropy_avail", "sys/kernel/ns_last_pid", "key-users", "keys"]
paths = ["/proc/" + path for path in PATHS] + glob.glob("/sys/fs/cgroup/*") + glob.glob("/sys/class/*/*")
for path in paths:
    try:
        with open(path) as file:
            text = file.read()
    except OSError as error:
        print("no", path, error.errno)
        continue
    # What is named before it is no counter; the time of boot is this sandbox's own.
    values = [each for line in text.splitlines() if not line.startswith("btime") for each in re.findall(r"(?<![\w.])\d+(?:\.\d+)?", line)]
    moving = [each for each in values if float(each) != 0]
    print("yes" if moving else "no", path, *moving[:4])
