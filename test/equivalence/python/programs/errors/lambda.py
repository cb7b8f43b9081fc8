sorted([1, 'a'], key=lambda v: v + 1)
