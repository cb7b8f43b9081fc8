// How: opens descriptors until there are no more and exits without closing one.
// Expected: exited 0, having got at most its limit; the service and the launcher keep theirs.
#include <fcntl.h>
#include <stdio.h>

int main(void)
{
	int count = 0;
	while (open("/dev/null", O_RDONLY) >= 0)
		count++;
	printf("%d\n", count);
	return 0;
}
