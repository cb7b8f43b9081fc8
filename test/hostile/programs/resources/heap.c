// How: takes and touches heap without end.
// Expected: memory_limit, never signalled or runtime_error.
#include <stdlib.h>
#include <string.h>

int main(void)
{
	for (;;) {
		char *memory = malloc(1 << 20);
		if (memory)
			memset(memory, 1, 1 << 20);
	}
}
