e = SystemExit(9)
e.code = None
raise e
