raise BaseExceptionGroup('g', [SystemExit(3)])
