#: {"env": {"PYTHONUTF8": "0", "LC_ALL": "C"}, "runtime": "process"}
import sys, locale
print(sys.flags.utf8_mode, sys.stdout.encoding, sys.stdout.errors, locale.getpreferredencoding())
