// How: prints its arguments, each in brackets.
// Expected: exited 0; every argument arrives literally, whatever a shell would make of it.
#include <stdio.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("[%s]\n", argv[i]);
	return 0;
}
