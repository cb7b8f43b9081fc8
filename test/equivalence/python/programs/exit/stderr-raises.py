import sys
class Bad:
    def write(self, text):
        raise OSError('bad')
    def flush(self):
        pass
sys.stderr = Bad()
sys.exit('text')
