# Honest: Prints ten megabytes a line at a time, ended as Windows does.
# Expected: accepted.
import sys

for _ in range(int(input())):
    sys.stdout.write("0123456789\r\n")
