import sys
sys.stderr.close()
sys.exit('text')
