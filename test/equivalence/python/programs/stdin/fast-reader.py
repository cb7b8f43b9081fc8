#: {"stdin": "3\n1 2\n3 4\n5 6\n"}
import io, os, sys
input = io.BytesIO(os.read(0, os.fstat(0).st_size or 65536)).readline
n = int(input())
print([sum(map(int, input().split())) for _ in range(n)])
