import unittest
raise unittest.SkipTest("nothing to see")
