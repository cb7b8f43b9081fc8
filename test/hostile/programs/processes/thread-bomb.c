// How: threads until there are no more, then goes on trying.
// Expected: process_limit or an own failure, never a harm to others.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *wait_for_ever(void *nothing)
{
	pause();
	return nothing;
}

int main(void)
{
	for (int i = 0; i < 2000; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, wait_for_ever, NULL);
	}
	exit(7);
}
