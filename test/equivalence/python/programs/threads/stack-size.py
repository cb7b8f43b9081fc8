import threading
print(threading.stack_size())
threading.stack_size(64 * 1024 * 1024)
print(threading.stack_size())
