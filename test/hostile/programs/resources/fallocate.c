// How: asks for 20 GB of disk in one call.
// Expected: exited 0 and "refused": nothing is reserved on the host.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

int main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	int fd = open("/tmp/big", O_CREAT | O_RDWR, 0600);
	puts(fallocate(fd, 0, 0, 20l << 30) == 0 ? "granted" : "refused");
	return 0;
}
