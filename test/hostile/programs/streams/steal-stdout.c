// How: reopens its own stdout for reading through /proc and drinks what it printed.
// Expected: contained: exited 0, and the service gets no more than was printed and does not wait.
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
	char buffer[64];
	int fd = open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK);
	if (write(1, "wrong\n", 6) != 6)
		return 1;
	if (fd >= 0)
		(void)!read(fd, buffer, sizeof buffer);
	return 0;
}
