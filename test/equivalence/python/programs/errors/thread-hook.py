import threading
threading.excepthook = lambda args: print('hook', args.exc_type, args.thread.name)
t = threading.Thread(target=lambda: 1 / 0)
t.start()
t.join()
