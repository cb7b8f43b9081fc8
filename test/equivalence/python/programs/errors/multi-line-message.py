raise ValueError('a\nb\n')
