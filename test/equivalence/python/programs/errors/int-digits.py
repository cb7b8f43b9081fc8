print(len(str(10 ** 4000)))
print(str(10 ** 5000))
