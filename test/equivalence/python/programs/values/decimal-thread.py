import decimal, threading
decimal.getcontext().prec = 5
def work(): print(decimal.getcontext().prec)
t = threading.Thread(target=work); t.start(); t.join()
