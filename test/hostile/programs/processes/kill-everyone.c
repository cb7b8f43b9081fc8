// How: SIGKILL and SIGSTOP to every process it may signal, to PID 1, to its parent and to its parent's group.
// Expected: exited 0: it reaches only itself, and it spares itself; the jail goes on.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	static const int signals[] = { SIGSTOP, SIGKILL };
	for (int i = 0; i < 2; i++) {
		kill(-1, signals[i]);
		kill(1, signals[i]);
		kill(getppid(), signals[i]);
		kill(-1 * getppid(), signals[i]);
		for (int pid = 1; pid < 400; pid++)
			if (pid != getpid())
				kill(pid, signals[i]);
	}
	puts("alive");
	return 0;
}
