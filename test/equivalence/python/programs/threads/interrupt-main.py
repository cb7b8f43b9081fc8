import _thread, threading, time
threading.Thread(target=_thread.interrupt_main).start()
time.sleep(1)
