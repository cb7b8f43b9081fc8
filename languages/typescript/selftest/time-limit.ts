// Spins. Expected: time_limit (cpu).
for (;;);
