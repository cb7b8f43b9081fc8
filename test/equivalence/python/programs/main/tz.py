#: {"env": {"TZ": "Asia/Tokyo"}}
import time
print(time.tzname, time.timezone, time.localtime(0)[:6])
