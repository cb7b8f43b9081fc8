import threading, time
def work():
    threading.main_thread().join()
    print('main is over', threading.main_thread().is_alive())
threading.Thread(target=work).start()
