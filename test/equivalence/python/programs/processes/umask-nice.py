import os
print(oct(os.umask(0)), os.nice(0), os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0), os.sched_getparam(0))
