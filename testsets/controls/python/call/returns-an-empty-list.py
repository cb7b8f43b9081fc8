def hack(*args, **kwargs):
    return []
