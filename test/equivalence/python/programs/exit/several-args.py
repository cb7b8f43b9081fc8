raise SystemExit(3, 4)
