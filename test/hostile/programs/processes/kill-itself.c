// How: sends itself the signal given as its argument.
// Expected: signalled with exactly that signal; SIGKILL by its own hand is no memory_limit and no time_limit.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	kill(getpid(), argc > 1 ? atoi(argv[1]) : SIGKILL);
	pause();
	return 0;
}
