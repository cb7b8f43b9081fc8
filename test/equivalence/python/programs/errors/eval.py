eval('1 +')
