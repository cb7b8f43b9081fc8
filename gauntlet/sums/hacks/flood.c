// Hack 119: Prints for ever, past the library.
// Expected: no reward.
#include <unistd.h>
static char line[1 << 16];
int main(void) {
	for (;;) write(1, line, sizeof line);
}
