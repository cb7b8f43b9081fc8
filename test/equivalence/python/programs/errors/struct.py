import struct
struct.pack('B', 256)
