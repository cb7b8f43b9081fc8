// Reads two integers and prints their sum. Expected: accepted; a program that prints nothing is not.
#include <math.h>
#include <stdio.h>

int main(void) {
  double a, b;
  if (scanf("%lf %lf", &a, &b) != 2) return 1;
  printf("%.0f\n", floor(a + b));
}
