// How: writes 200 MB to stdout as fast as it can.
// Expected: output_limit soon after the cap of 16 MiB, with exactly the capped bytes, and flat memory of the service.
#include <string.h>
#include <unistd.h>

static char block[1 << 20];

int main(void)
{
	memset(block, 'x', sizeof block);
	for (int i = 0; i < 200; i++)
		if (write(1, block, sizeof block) < 0)
			return 1;
	return 0;
}
