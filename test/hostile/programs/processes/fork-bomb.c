// How: every process forks for ever.
// Expected: process_limit; the neighbours and the jail go on, nobody survives.
#include <unistd.h>

int main(void)
{
	for (;;)
		fork();
}
