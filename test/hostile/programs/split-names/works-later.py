"""What was kept of an answer keeps the test runner busy in a test in which nothing is asked."""


def double(x):
    return 2 * x


def table():
    return range(10**12)
