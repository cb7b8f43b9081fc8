import re
print(re.sub(r'(\d+)', lambda m: str(int(m[1]) + 1), 'a1b22'), re.findall('a|b', 'abc'), re.compile('x', re.I))
