def hack(*args, **kwargs):
    raise KeyboardInterrupt
