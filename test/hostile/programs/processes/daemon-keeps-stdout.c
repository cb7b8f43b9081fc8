// How: double fork and setsid; the daemon keeps stdout and stderr open and would write later.
// Expected: exited 0 at once with what the main process printed; the daemon is dead, its line never arrives.
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	puts("42");
	fflush(stdout);
	if (fork() == 0) {
		setsid();
		if (fork() == 0) {
			sleep(2);
			puts("from the daemon");
			fflush(stdout);
			sleep(60);
		}
		_exit(0);
	}
	return 0;
}
