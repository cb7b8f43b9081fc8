#: {"runtime": "process"}
import gc
gc.set_debug(gc.DEBUG_STATS)
print('end')
gc.set_debug(0)
