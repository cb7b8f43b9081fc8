# A function without a def.
add = lambda x, y: x + y  # noqa: E731
