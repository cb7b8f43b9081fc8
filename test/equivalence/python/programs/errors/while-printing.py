print('partial', end='')
raise ValueError
