import re
for line in open('/proc/self/mounts'):
    print(re.sub('[ug]id=[0-9]+', '', line), end='')
