import threading, time
def work():
    time.sleep(0.05)
    print('after error')
threading.Thread(target=work).start()
1 / 0
