// How: burns the time in many short children that are reaped, one after the other.
// Expected: time_limit by cpu: time of ended children counts.
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	for (;;) {
		if (fork() == 0) {
			for (volatile int i = 0; i < 3000000; i++)
				;
			_exit(0);
		}
		wait(NULL);
	}
}
