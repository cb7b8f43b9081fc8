import unittest
class T(unittest.TestCase):
    def test_a(self): self.assertEqual(1, 1)
    def test_b(self): self.assertEqual(1, 2)
suite = unittest.defaultTestLoader.loadTestsFromTestCase(T)
import io
r = unittest.TextTestRunner(stream=io.StringIO()).run(suite)
print(r.testsRun, len(r.failures), r.failures[0][1])
