#: {"stdin": "1\n2\nend\n3\n"}
print(list(map(int, iter(input, 'end'))))
