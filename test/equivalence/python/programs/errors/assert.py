assert 1 == 2, ('a', 'tuple')
