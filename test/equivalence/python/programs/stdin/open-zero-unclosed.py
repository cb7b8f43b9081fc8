#: {"stdin": "1\n2\n"}
data = [int(x) for x in open(0)]
print(data)
