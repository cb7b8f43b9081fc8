import time, datetime, os
open('x', 'w').close()
print(abs(time.time() - os.stat('x').st_mtime) < 2, datetime.datetime.now().year >= 2024, datetime.datetime.now().astimezone().tzname())
