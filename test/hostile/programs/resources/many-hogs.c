// How: twenty children that each take a share: none is over the limit alone, together they are.
// Expected: memory_limit.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	for (int c = 0; c < 20; c++)
		if (fork() == 0) {
			char *memory = malloc(16 << 20);
			if (memory)
				memset(memory, 1, 16 << 20);
			pause();
		}
	while (wait(NULL) > 0)
		;
	return 0;
}
