print(hash('x'), hash(b'abc'), hash(('a', 1)), list({'a', 'b', 'c', 'd', 'e'}), {str(i) for i in range(20)}, hash(None) == hash(None))
