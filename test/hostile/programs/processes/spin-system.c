// How: burns system time in system calls, which a counter of user time alone does not see.
// Expected: time_limit by cpu.
#include <fcntl.h>
#include <unistd.h>

static char buffer[1 << 20];

int main(void)
{
	int zero = open("/dev/zero", O_RDONLY);
	for (;;)
		(void)!read(zero, buffer, sizeof buffer);
}
