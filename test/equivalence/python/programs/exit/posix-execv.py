import os
print('lost unless flushed')
os.execv('/bin/echo', ['echo', 'replaced'])
