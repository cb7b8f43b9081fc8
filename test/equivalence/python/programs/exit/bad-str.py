import sys
class Bad:
    def __str__(self):
        raise ValueError('bad str')
sys.exit(Bad())
