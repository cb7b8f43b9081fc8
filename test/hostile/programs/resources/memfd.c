// How: memory in a memfd, outside of every rlimit.
// Expected: memory_limit (or disk_limit where files are capped first): charged to the run.
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char block[1 << 20];

int main(void)
{
	int fds[32];
	memset(block, 1, sizeof block);
	for (int f = 0; f < 32; f++) {
		fds[f] = memfd_create("hog", 0);
		for (int i = 0; i < 32; i++)
			if (write(fds[f], block, sizeof block) < 0)
				return 1;
	}
	return 0;
}
