# How: leaves with exit code 0 before it prints anything.
# Expected: wrong_answer: exit code 0 proves nothing.
import sys

sys.exit(0)
print("42")
