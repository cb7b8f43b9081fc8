# Answers from two processes.
import os


def add(x, y):
    os.fork()
    return 0
