import threading, time
def work():
    time.sleep(0.05)
    print('after main')
threading.Thread(target=work).start()
print('end')
