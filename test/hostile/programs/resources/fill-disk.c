// How: writes files until the disk is full, then fails.
// Expected: disk_limit; the next run has its whole disk again.
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static char block[1 << 20];

int main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	memset(block, 1, sizeof block);
	int fd = open("/tmp/big", O_CREAT | O_WRONLY, 0600);
	while (write(fd, block, sizeof block) > 0)
		;
	return 1;
}
