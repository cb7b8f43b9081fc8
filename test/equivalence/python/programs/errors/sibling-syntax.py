#: {"files": {"helper.py": "x = 1\ndef f(:\n  pass\n"}}
import helper
