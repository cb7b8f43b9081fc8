class Stop(SystemExit):
    code = 8
raise Stop(6)
