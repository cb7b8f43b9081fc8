// How: waits for its vfork child where signals do not reach it, while the child sleeps for ever with all signals blocked.
// Expected: time_limit (wall): both are gone when the answer comes.
#include <signal.h>
#include <unistd.h>

int main(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	pid_t child = vfork();
	if (child == 0)
		for (;;)
			pause();
	return 0;
}
