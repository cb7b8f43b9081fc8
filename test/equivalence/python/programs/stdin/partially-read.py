#: {"stdin": "a\nb\nc\n"}
print(input())
