import os, time
t = os.times()
print(t.user < 1, t.children_user, t.children_system, time.process_time() < 1, time.thread_time() < 1, time.perf_counter() > 0)
