"""Says a number and reads a number, and bears nothing else."""

import sys

number = int(open(sys.argv[1]).read())
print(number, flush=True)
sys.exit(42 if int(input()) == 2 * number else 43)
