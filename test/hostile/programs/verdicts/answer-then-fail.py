# How: prints the right answer, then exits with 1.
# Expected: runtime_error: the exit code can only fail a case.
print("42")
raise SystemExit(1)
