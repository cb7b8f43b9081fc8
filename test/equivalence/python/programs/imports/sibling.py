#: {"files": {"helper.py": "import sys\nprint('loading', __name__, __file__, __spec__.origin, __package__ == '', sys._getframe().f_back.f_code.co_name)\ndef f(): return 42\n"}}
import helper
print(helper.f(), helper)
import sys
print('helper' in globals(), helper.__cached__)
