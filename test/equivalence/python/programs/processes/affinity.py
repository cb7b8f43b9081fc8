import os
print(len(os.sched_getaffinity(0)), os.cpu_count() >= 1, len(os.sched_getaffinity(os.getpid())))
