#: {"stdin": "a b\nc\n"}
with open('/dev/stdin') as file:
    print(file.readline(), end='')
with open('/dev/stdin') as file:
    print(repr(file.read()))
