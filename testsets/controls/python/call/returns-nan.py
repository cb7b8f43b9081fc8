def hack(*args, **kwargs):
    return float("nan")
