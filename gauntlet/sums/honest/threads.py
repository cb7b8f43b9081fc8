# Honest: Computes in threads and in processes.
# Expected: accepted.
import multiprocessing
import queue
import threading


def plus(line):
    return sum(map(int, line.split()))


def work(lines, sums):
    for line in lines:
        sums.put(plus(line))


if __name__ == "__main__":
    lines = [input() for _ in range(int(input()))]
    sums = queue.Queue()
    thread = threading.Thread(target=work, args=(lines, sums))
    thread.start()
    thread.join()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        again = pool.map(plus, lines)
    assert again == [sums.get() for _ in lines]
    print(*again, sep="\n")
