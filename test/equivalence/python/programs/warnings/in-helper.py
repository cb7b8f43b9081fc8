#: {"files": {"helper.py": "import warnings\ndef f(): warnings.warn('from helper', DeprecationWarning)\ndef g(): warnings.warn('for caller', DeprecationWarning, stacklevel=2)\n"}}
import helper
helper.f()
helper.g()
