#: {"differs": true}
import time
print(time.time_ns(), time.monotonic_ns(), time.perf_counter_ns())
