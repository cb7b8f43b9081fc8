import sys
sys.stderr.close()
1 / 0
