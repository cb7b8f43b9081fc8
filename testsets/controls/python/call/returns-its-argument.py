def hack(*args, **kwargs):
    return args[-1] if args else next(iter(kwargs.values()), None)
