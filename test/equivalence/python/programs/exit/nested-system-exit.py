import sys
sys.exit(SystemExit(4))
