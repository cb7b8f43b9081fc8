#: {"stdin": "abc\n"}
import os
with os.fdopen(0, 'rb', closefd=False) as f:
    print(f.read())
print(os.fstat(0).st_size)
