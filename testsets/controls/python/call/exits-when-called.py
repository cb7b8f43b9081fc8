import sys


def hack(*args, **kwargs):
    sys.exit(0)
