// How: maps 1 GiB and touches one page of it; has a static array of 512 MiB.
// Expected: exits 0, since only touched memory counts.
#include <stdio.h>
#include <stdlib.h>

static char large[512 << 20];

int main(void)
{
	char *reserved = malloc(1 << 30);
	if (!reserved)
		return 1;
	reserved[0] = large[0] = 'x';
	puts(reserved[0] == large[0] ? "reserved" : "lost");
	return 0;
}
