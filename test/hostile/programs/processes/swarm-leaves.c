// How: thirty children that fork on and on to outrun whoever kills them, while the parent exits.
// Expected: exited 0 with the answer (or process_limit); nobody survives.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	for (int i = 0; i < 30; i++)
		if (fork() == 0) {
			setsid();
			for (int sig = 1; sig < 32; sig++)
				signal(sig, SIG_IGN);
			for (;;) {
				if (fork() > 0)
					_exit(0);
				usleep(500);
			}
		}
	puts("42");
	return 0;
}
