// How: empty files until there are no more, then fails.
// Expected: disk_limit; cleaning up after it takes no noticeable time.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	char name[32];
	for (int i = 0;; i++) {
		snprintf(name, sizeof name, "f%d", i);
		int fd = open(name, O_CREAT | O_WRONLY, 0600);
		if (fd < 0)
			return 1;
		close(fd);
	}
}
