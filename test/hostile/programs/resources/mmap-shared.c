// How: shared anonymous memory, which no RLIMIT_DATA counts.
// Expected: memory_limit.
#include <string.h>
#include <sys/mman.h>

int main(void)
{
	char *memory = mmap(0, 1ul << 30, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 1, 1ul << 30);
	return 0;
}
