/* The trivial program: reads a number and prints it. */
#include <stdio.h>

int main(void) {
  long number = 0;
  if (scanf("%ld", &number) != 1) return 1;
  printf("%ld\n", number);
  return 0;
}
