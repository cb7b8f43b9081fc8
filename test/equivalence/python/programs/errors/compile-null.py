compile('a\0b', 'f', 'exec')
