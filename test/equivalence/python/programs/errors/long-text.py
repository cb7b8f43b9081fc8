raise ValueError('x' * 5000)
