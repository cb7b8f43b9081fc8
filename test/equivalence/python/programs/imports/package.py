#: {"files": {"pkg/__init__.py": "from .inner import value\n__all__ = ['value']\n", "pkg/inner.py": "value = 7\nfrom . import other\n", "pkg/other.py": "name = __name__\n"}}
from pkg import *
import pkg.other
print(value, pkg.other.name, pkg.__path__, pkg)
