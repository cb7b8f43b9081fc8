def hack(*args, **kwargs):
    return None
