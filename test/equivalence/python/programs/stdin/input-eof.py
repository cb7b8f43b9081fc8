#: {"stdin": "only\n"}
print(input())
print(input())
