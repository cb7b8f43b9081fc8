# How: an honest program: threads, a pool of processes, a subprocess, a temporary file.
# Expected: exited 0.
import multiprocessing
import subprocess
import sys
import tempfile
import threading


def square(n):
    return n * n


if __name__ == "__main__":
    thread = threading.Thread(target=square, args=(3,))
    thread.start()
    thread.join()
    with multiprocessing.Pool(2) as pool:
        total = sum(pool.map(square, range(8)))
    told = subprocess.run([sys.executable, "-c", "print('child')"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryFile() as file:
        file.write(b"x")
    print(total, told.stdout.strip())
