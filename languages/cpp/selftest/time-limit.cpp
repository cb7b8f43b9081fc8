// Spins in a way that no optimiser removes. Expected: time_limit (cpu).
int main() {
  volatile unsigned count = 0;
  for (;;) count = count + 1;
}
