import io
class Raw(io.RawIOBase):
    def readable(self): return True
    def close(self):
        print('closed')
        super().close()
f = io.BufferedReader(Raw())
