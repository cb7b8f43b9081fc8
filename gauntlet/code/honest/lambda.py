# Honest: A function without a def.
# Expected: accepted.
add = lambda x, y: x + y  # noqa: E731
