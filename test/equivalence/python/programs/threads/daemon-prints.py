import threading, time
def work():
    time.sleep(0.05)
    print('never seen')
threading.Thread(target=work, daemon=True).start()
print('end')
