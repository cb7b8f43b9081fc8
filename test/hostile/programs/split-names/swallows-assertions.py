"""Calls a function of the test's with the wrong thing, and keeps quiet about what comes of it."""


def each(function, items):
    for _ in items:
        try:
            function(7)
        except Exception:
            pass
