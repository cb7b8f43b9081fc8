print({'b', 'a', 'c'}, {1, 10, 100, 1000}, set('hello world'), frozenset(['x', 'yy', 'zzz']))
