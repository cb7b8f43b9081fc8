import sys
sys.stdout.reconfigure(errors='surrogateescape')
print('a\udcffb')
