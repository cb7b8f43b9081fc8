#: {"env": {"LC_ALL": "C"}, "runtime": "process"}
import sys, locale
print(sys.stdout.encoding, sys.stdin.errors, locale.setlocale(locale.LC_ALL), locale.getlocale())
