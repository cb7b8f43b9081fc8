// How: floods stdout and stderr by turns, so that a reader of one stream at a time would deadlock.
// Expected: output_limit.
#include <string.h>
#include <unistd.h>

static char block[1 << 16];

int main(void)
{
	memset(block, 'b', sizeof block);
	for (int i = 1;; i ^= 3)
		if (write(i, block, sizeof block) < 0)
			return 1;
}
