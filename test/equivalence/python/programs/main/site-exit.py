print('a')
exit()
