# Honest: Prints ten megabytes at once.
# Expected: accepted.
print("0123456789\n" * int(input()), end="")
