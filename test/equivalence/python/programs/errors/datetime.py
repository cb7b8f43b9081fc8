import datetime
datetime.date(2021, 2, 30)
