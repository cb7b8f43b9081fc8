#: {"files": {"one.py": "import two\nclass A:\n    def __del__(self): print('one', two.__name__)\na = A()\n", "two.py": "class B:\n    def __del__(self): print('two')\nb = B()\n"}}
import one, two
import gc
# When collections happen by themselves depends on all objects made before, imports included.
gc.collect()
