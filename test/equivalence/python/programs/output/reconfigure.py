import sys
sys.stdout.reconfigure(encoding='latin-1', line_buffering=True)
print('é')
