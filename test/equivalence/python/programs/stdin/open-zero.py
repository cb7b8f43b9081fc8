#: {"stdin": "a b\nc\n"}
print(open(0).read().split())
