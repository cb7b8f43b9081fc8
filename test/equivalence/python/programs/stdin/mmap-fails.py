#: {"stdin": "a\n"}
import mmap
mmap.mmap(0, 0)
