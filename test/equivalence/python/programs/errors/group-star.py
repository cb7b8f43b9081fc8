try:
    raise ExceptionGroup('many', [ValueError(1), TypeError('t')])
except* ValueError as group:
    print(repr(group))
