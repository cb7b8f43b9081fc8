# Reads two integers and prints their sum. Expected: accepted; a program that prints nothing is not.
a, b = map(int, input().split())
print(a + b)
