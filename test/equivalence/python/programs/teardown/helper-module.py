#: {"files": {"helper.py": "class A:\n    def __init__(self, n): self.n = n\n    def __del__(self): print('del', self.n, __name__)\na = A('helper.a')\ndef keep(x, kept=[]): kept.append(x)\n"}}
import helper
b = helper.A('main.b')
helper.keep(helper.A('kept'))
print('end')
