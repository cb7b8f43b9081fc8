import os
os.register_at_fork(before=lambda: print('before', flush=True), after_in_parent=lambda: print('parent', flush=True), after_in_child=lambda: print('child', flush=True))
if os.fork() == 0:
    os._exit(0)
os.wait()
