// How: sends itself SIGSTOP.
// Expected: time_limit by wall; a stopped program is killed like any other.
#include <signal.h>

int main(void)
{
	raise(SIGSTOP);
	return 0;
}
