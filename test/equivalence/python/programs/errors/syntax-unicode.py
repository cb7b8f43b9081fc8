naïve = 1
x = ‘quoted’
