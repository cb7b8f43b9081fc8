// How: prints 20 MB of numbered lines, within a raised output limit.
// Expected: exited 0; every byte arrives, in order.
#include <stdio.h>

int main(void)
{
	for (int i = 0; i < 2000000; i++)
		printf("%09d\n", i);
	return 0;
}
