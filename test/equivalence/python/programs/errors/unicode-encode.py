print('\ud800')
