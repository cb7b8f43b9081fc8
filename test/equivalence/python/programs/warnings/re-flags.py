import re
print(re.compile('a(?i)b') if False else re.compile('[[a]'))
