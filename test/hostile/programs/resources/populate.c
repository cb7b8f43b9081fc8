// How: takes memory as fast as the kernel gives it: mappings that are filled by mmap itself.
// Expected: memory_limit.
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
	for (int i = 0; i < 100000; i++)
		if (mmap(NULL, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0) == MAP_FAILED)
			return 1;
	puts("all of it");
	return 0;
}
