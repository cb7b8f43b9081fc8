// How: children that end and are never waited for.
// Expected: exited 0; zombies count as processes and end with the run.
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 40; i++)
		if (fork() == 0)
			_exit(0);
	puts("42");
	return 0;
}
