import os, threading
def work():
    pid = os.fork()
    if pid == 0:
        os._exit(threading.active_count())
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
t = threading.Thread(target=work); t.start(); t.join()
