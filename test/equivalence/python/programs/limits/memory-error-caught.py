#: {"limits": {"memory_mb": 64}}
import resource
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
try:
    bytearray(2 << 30)
except MemoryError as e:
    print('caught')
