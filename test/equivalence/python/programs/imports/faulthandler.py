import faulthandler
print(faulthandler.is_enabled())
faulthandler.enable()
import sys
faulthandler.dump_traceback(file=sys.stdout)
