import sys
sys.exit('a\udc80')
