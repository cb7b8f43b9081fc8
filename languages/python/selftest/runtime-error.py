# Prints the right answer and then raises. Expected: runtime_error (exit code 1).
a, b = map(int, input().split())
print(a + b)
raise ValueError("on purpose")
