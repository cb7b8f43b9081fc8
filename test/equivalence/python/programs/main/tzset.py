import os, time
print(time.tzname, time.localtime(0)[:6])
os.environ['TZ'] = 'JST-9'
time.tzset()
print(time.tzname, time.localtime(0)[:6], time.strftime('%Z', time.localtime(0)))
