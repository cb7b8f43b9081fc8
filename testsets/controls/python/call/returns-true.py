def hack(*args, **kwargs):
    return True
