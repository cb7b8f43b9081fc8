# Spins. Expected: time_limit (cpu).
while True:
    pass
