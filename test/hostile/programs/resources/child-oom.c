// How: a child eats memory until it is killed; the parent prints the right answer and exits 0.
// Expected: memory_limit, never a pass.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	if (fork() == 0)
		for (;;) {
			char *memory = malloc(1 << 20);
			if (memory)
				memset(memory, 1, 1 << 20);
		}
	wait(NULL);
	puts("42");
	return 0;
}
