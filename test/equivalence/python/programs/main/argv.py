#: {"args": ["one", "two words", "", "-x", "--flag=é", "*"]}
import sys
print(sys.argv, sys.orig_argv)
