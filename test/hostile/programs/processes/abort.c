// How: abort().
// Expected: signalled, SIGABRT: the program is not PID 1 of its namespace.
#include <stdlib.h>

int main(void)
{
	abort();
}
