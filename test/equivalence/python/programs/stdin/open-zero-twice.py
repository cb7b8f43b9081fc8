#: {"stdin": "a b\nc\n"}
first = open(0)
print(first.readline())
first.close()
try:
    print(open(0).read())
except OSError as error:
    print(error.errno)
print(input())
