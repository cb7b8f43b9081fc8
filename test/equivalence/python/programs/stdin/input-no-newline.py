#: {"stdin": "a\nb"}
print(repr(input()), repr(input()))
try:
    input()
except EOFError as error:
    print(error)
