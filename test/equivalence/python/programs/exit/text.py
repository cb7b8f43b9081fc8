import sys
sys.exit('some text é')
