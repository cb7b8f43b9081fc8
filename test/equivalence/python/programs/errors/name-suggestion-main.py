counter = 1
print(countre)
