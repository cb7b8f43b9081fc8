import re
re.compile('(')
