#: {"runtime": "process"}
import os
print(os.getcwd(), os.listdir('.'), os.path.realpath('.'), os.access('.', os.W_OK), os.stat('.').st_mode, os.listdir('/tmp'), os.stat('main.py').st_uid)
