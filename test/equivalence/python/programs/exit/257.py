raise SystemExit(257)
