// How: floods stderr for ever and says nothing on stdout.
// Expected: output_limit, not time_limit.
#include <string.h>
#include <unistd.h>

static char block[1 << 16];

int main(void)
{
	memset(block, 'e', sizeof block);
	for (;;)
		if (write(2, block, sizeof block) < 0)
			return 1;
}
