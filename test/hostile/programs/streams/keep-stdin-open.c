// How: reopens its own input for writing through /proc, so that end of file never comes, and reads on.
// Expected: time_limit by wall (or no permission and exit 0): it fools only itself.
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	char c;
	if (open("/proc/self/fd/0", O_RDWR) < 0)
		return 0;
	while (read(0, &c, 1) > 0)
		;
	return 0;
}
