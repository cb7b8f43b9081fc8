# Never answers.
import time


def add(x, y):
    time.sleep(1000)
