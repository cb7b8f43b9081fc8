import os, sys
# Parent and child go on at the same time, so each has a stream of its own.
os.register_at_fork(before=lambda: print('before', flush=True), after_in_parent=lambda: print('parent', flush=True), after_in_child=lambda: print('child', file=sys.stderr, flush=True))
if os.fork() == 0:
    os._exit(0)
os.wait()
