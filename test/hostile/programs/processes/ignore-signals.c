// How: ignores every signal that can be ignored and sleeps.
// Expected: time_limit by wall, at once after the limit.
#include <signal.h>
#include <unistd.h>

int main(void)
{
	for (int sig = 1; sig < 65; sig++)
		signal(sig, SIG_IGN);
	for (;;)
		sleep(60);
}
