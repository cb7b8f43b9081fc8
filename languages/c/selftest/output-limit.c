// Prints without end. Expected: output_limit.
#include <stdio.h>

int main(void) {
  for (;;) puts("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
}
