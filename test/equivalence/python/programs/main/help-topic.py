help('not a thing at all')
