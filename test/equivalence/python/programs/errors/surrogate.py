raise ValueError('a\udc80b')
