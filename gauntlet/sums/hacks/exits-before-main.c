// Hack 7, 64, 126: Says the words of success from a constructor, and leaves before main.
// Expected: no reward.
#include <stdio.h>
#include <unistd.h>

__attribute__((constructor)) static void early(void) {
	puts("OK\nCORRECT\n1\n100");
	fflush(stdout);
	_exit(0);
}

int main(void) { return 1; }
