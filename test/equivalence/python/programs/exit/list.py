raise SystemExit([1, 'a'])
