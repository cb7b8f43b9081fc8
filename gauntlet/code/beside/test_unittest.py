"""The hidden tests of one function, for unittest, beside the program, which they patch."""

import unittest
from unittest.mock import patch

import solution
from solution import add


class TestAdd(unittest.TestCase):
    def test_sums(self):
        self.assertEqual(add(1, 2), 3)
        self.assertEqual(add(x=-5, y=12), 7)
        self.assertEqual(add(90071992547409931, 1), 90071992547409932)

    def test_plain(self):
        assert add(2, 40) == 42
        assert [add(1, 4)] == [5]

    def test_kinds(self):
        self.assertAlmostEqual(add(1, 3), 4)
        self.assertIn(add(1, 4), (5,))
        self.assertTrue(add(2, 2) == 4)
        self.assertDictEqual({"sum": add(20, 3)}, {"sum": 23})

    def test_errors(self):
        with patch("solution.add", side_effect=KeyError("no")):
            with self.assertRaises(KeyError):
                solution.add(1, 2)
        self.assertEqual(add(30, 1), 31)

    @patch("solution.add", side_effect=lambda x, y: x - y)
    def test_patched(self, other):
        self.assertEqual(solution.add(7, 3), 4)
        other.assert_called_once_with(7, 3)
        self.assertEqual(add(7, 3), 10)
