import _thread, threading, time
done = []
_thread.start_new_thread(lambda: done.append(threading.current_thread().name), ())
while not done:
    time.sleep(0.001)
print(done)
