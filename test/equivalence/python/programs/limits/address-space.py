import resource, ctypes
print(resource.getrlimit(resource.RLIMIT_AS), resource.getrlimit(resource.RLIMIT_DATA))
import mmap
m = mmap.mmap(-1, 1 << 33)
print(len(m))
