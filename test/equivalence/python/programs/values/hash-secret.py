print(hash('a') == hash('a'), hash(b'') , hash(''), hash('abc'), hash(frozenset('abc')), hash((1, 'x')))
