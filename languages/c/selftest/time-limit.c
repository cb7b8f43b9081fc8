// Spins in a way that no optimiser removes. Expected: time_limit (cpu).
int main(void) {
  volatile unsigned count = 0;
  for (;;) count++;
}
