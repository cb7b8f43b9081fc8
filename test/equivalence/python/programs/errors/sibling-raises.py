#: {"files": {"helper.py": "def f():\n    raise ValueError('from helper')\n"}}
from helper import f
f()
