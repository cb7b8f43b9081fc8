"""The hidden tests of one function, for unittest."""

import unittest

from solution import add


class TestAdd(unittest.TestCase):
    def test_0(self):
        assert add(1, 2) == 3

    def test_1(self):
        assert add(x=-5, y=12) == 7

    def test_2(self):
        assert abs(add(2, 40) - 42) <= 1e-9

    def test_3(self):
        assert [add(1, 4)] == [5] and {add(2, 4): 1} == {6: 1}

    def test_4(self):
        assert isinstance(add(1, 1), int) and not add(1, 1) != 2

    def test_5(self):
        assert add(90071992547409931, 1) == 90071992547409931 + 1

    def test_6(self):
        assert add(0, 8) in [8] and str(add(0, 9)) == "9"

    def test_equal(self):
        self.assertEqual(add(1, 2), 3)
        self.assertAlmostEqual(add(1, 3), 4)
        self.assertIn(add(1, 4), (5,))
        self.assertTrue(add(2, 2) == 4)
        self.assertIs(type(add(1, 1)), int)
