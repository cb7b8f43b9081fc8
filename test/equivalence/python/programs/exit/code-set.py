e = SystemExit(1)
e.code = 5
raise e
