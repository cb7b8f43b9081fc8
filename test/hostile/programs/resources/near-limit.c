// How: touches 140 MiB, a little more than its limit of 128 MiB and the slack of a memory cgroup.
// Expected: memory_limit, also right after a compiler was read from disk and charged to the jail.
#include <stdlib.h>

int main(void)
{
	const size_t size = 140 << 20;
	volatile char *memory = malloc(size);
	if (!memory)
		return 1;
	for (size_t i = 0; i < size; i += 4096)
		memory[i] = 1;
	return 0;
}
