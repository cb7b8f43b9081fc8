import warnings
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always')
    warnings.warn('caught')
print(len(w), w[0].filename, w[0].lineno)
