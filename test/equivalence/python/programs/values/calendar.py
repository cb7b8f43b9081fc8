import calendar, datetime
print(calendar.month(2024, 2), calendar.firstweekday(), datetime.datetime(2024, 2, 29).strftime('%A %B %c %x'), datetime.datetime.strptime('2024-02-29', '%Y-%m-%d'))
