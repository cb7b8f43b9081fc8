# Honest: The answer.
# Expected: accepted.
def add(x, y):
    return x + y
