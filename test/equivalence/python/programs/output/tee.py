import sys
class Tee:
    def __init__(self, f): self.f = f
    def write(self, text): self.f.write(text.upper())
    def flush(self): self.f.write('[flush]'); self.f.flush()
sys.stdout = Tee(sys.stdout)
print('hello')
