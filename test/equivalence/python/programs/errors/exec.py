exec('1/0')
