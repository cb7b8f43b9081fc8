// Prints the right answer and then aborts. Expected: runtime_error (signal 6).
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int a, b;
  if (scanf("%d %d", &a, &b) != 2) return 1;
  printf("%d\n", a + b);
  fflush(stdout);
  abort();
}
