try:
    int('x')
except ValueError:
    raise TypeError('only me') from None
