def hack(*args, **kwargs):
    return 0
