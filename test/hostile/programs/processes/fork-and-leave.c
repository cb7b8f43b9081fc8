// How: leaves a child behind that would sleep for a minute, and exits with the right answer.
// Expected: exited 0 at once; the child is dead when the answer comes.
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	if (fork() == 0) {
		sleep(60);
		return 0;
	}
	puts("42");
	return 0;
}
