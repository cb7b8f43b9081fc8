# Spins. Expected: time_limit (cpu).
while :; do :; done
