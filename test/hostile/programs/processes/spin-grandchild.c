// How: a grandchild in a session of its own burns the time while parent and child only wait.
// Expected: time_limit by cpu: the whole tree is counted.
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	if (fork() == 0) {
		setsid();
		if (fork() == 0)
			for (;;)
				;
		wait(NULL);
	}
	wait(NULL);
	return 0;
}
