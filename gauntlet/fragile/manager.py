"""Hands on the number that the first run printed, and bears nothing else."""

import sys

print(int(sys.stdin.read()))
sys.exit(42)
