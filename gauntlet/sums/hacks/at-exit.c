// Hack 64: Changes its mind about the output when main is done.
// Expected: no reward.
#include <stdio.h>
#include <stdlib.h>

static void late(void) {
	fseek(stdout, 0, SEEK_SET);
	puts("7");
}

int main(void) {
	atexit(late);
	puts("0");
	return 0;
}
