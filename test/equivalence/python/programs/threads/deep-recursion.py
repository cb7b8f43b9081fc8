import sys, threading
sys.setrecursionlimit(1 << 25)
threading.stack_size(512 * 1024 * 1024 // 4)
def f(n):
    return 0 if n == 0 else 1 + f(n - 1)
def main():
    print(f(100000))
t = threading.Thread(target=main); t.start(); t.join()
