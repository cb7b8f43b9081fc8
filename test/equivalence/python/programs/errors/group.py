raise ExceptionGroup('many', [ValueError(1), TypeError('t'), ExceptionGroup('inner', [KeyError('k')])])
