import sys
sys.stdin = None
input()
