// Forks until it is refused, and goes on; so do its children. Expected: runtime_error (limit processes).
#include <unistd.h>

int main() {
  for (;;) (void)fork();
}
