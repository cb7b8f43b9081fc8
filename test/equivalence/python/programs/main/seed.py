#: {"seed": 7, "runtime": "process"}
print(hash('x'), list({'a', 'b', 'c', 'd'}))
