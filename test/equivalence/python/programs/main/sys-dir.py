import sys
print(sorted(dir(sys)))
