import sys
sys.setrecursionlimit(1)
