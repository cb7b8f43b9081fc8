try:
    {}['k']
except KeyError as e:
    raise RuntimeError('second') from e
