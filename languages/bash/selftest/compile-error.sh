# Does not parse. Expected: runtime_error, because Bash has no compile step.
if true; then
  echo never
