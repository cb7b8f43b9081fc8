// How: children that stop each other and themselves, then the main process stops.
// Expected: time_limit by wall; nobody survives.
#include <signal.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 8; i++)
		if (fork() == 0)
			for (;;)
				raise(SIGSTOP);
	kill(0, SIGSTOP);
	raise(SIGSTOP);
	return 0;
}
