#: {"files": {"helper.py": "print(__name__, __file__)\n"}, "runtime": "process"}
import runpy
print(sorted(runpy.run_path('helper.py', run_name='x')))
runpy.run_module('helper', run_name='__main__', alter_sys=True)
