import io
class Buffer:
    closed = False
    def readable(self): return False
    def writable(self): return True
    def seekable(self): return False
    def write(self, data):
        print('written', data)
        return len(data)
    def flush(self): print('flush')
    def close(self): print('close')
f = io.TextIOWrapper(Buffer())
f.write('late')
