// How: files in the work folder, larger together than the memory limit though smaller than the disk limit.
// Expected: memory_limit: a run's files are memory.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static char block[1 << 20];

int main(void)
{
	int fd = open("hog", O_CREAT | O_WRONLY, 0600);
	memset(block, 1, sizeof block);
	for (int i = 0; i < 900; i++)
		if (write(fd, block, sizeof block) < 0)
			return 1;
	return 0;
}
