import io
class Raw(io.RawIOBase):
    def writable(self): return True
    def write(self, data):
        print('written', bytes(data))
        return len(data)
    def close(self):
        print('closed')
        super().close()
f = io.TextIOWrapper(io.BufferedWriter(Raw()))
f.write('late')
