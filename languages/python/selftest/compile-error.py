# Does not parse. Expected: runtime_error, because Python has no compile step.
print("never"
