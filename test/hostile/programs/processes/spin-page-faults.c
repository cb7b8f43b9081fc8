// How: burns time in page faults.
// Expected: time_limit by cpu.
#include <string.h>
#include <sys/mman.h>

int main(void)
{
	for (;;) {
		char *memory = mmap(0, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memset(memory, 1, 1 << 24);
		munmap(memory, 1 << 24);
	}
}
