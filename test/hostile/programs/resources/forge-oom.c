// How: stays far below its memory limit and dies by SIGKILL of its own hand, in a child too.
// Expected: signalled 9, never memory_limit.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	if (fork() == 0)
		kill(getpid(), SIGKILL);
	wait(NULL);
	kill(getpid(), SIGKILL);
	return 0;
}
