// How: folders in folders, as deep as inodes allow: deeper than any path name and any recursion.
// Expected: exited 0; the clean-up neither recurses nor walks.
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
	int depth = 0;
	while (mkdir("d", 0700) == 0 && chdir("d") == 0)
		depth++;
	printf("%d\n", depth);
	return 0;
}
