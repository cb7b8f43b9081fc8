#: {"stdin": "x\n"}
import sys
sys.stderr.write('first ')
input('prompt')
sys.stdout.write('after')
