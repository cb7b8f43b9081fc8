#: {"files": {"helper.py": "x = 1\n"}}
import helper, os
print(os.listdir('.'), os.path.exists('__pycache__'))
