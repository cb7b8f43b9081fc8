#: {"runtime": "process"}
import sys
def hook(event, args):
    if event in ('open', 'os.system'):
        print(event, args)
sys.addaudithook(hook)
open('/dev/null').close()
