import io
class B(io.BytesIO):
    def close(self):
        print('closed', self.getvalue())
        super().close()
b = B(b'x')
plain, text = io.BytesIO(b'y'), io.StringIO('z')
