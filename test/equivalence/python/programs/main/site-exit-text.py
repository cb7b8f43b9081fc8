quit('bye')
