// Keeps 4 MiB blocks of written memory until the limit. Expected: memory_limit.
#include <stdlib.h>
#include <string.h>

int main(void) {
  for (;;) {
    char *volatile block = malloc(4 << 20);
    if (block != NULL) memset(block, 1, 4 << 20);
  }
}
