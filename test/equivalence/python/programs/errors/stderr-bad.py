import sys
class Bad:
    def write(self, text):
        raise OSError('bad')
sys.stderr = Bad()
1 / 0
