import os, threading, _thread
m = threading.main_thread()
print(m is threading.current_thread(), m.name, m.daemon, m.is_alive(), m.native_id == os.getpid(), threading.get_native_id() == os.getpid(), m.ident == threading.get_ident(), threading.active_count(), threading.enumerate() == [m])
