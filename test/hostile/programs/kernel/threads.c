// How: an honest program: threads, locks, a joined sum. glibc probes for clone3 first.
// Expected: exited 0: the filter refuses no honest call.
#include <pthread.h>
#include <stdio.h>

static void *square(void *n)
{
	return (void *)((long)n * (long)n);
}

int main(void)
{
	pthread_t threads[8];
	long sum = 0;
	for (long i = 0; i < 8; i++)
		if (pthread_create(&threads[i], NULL, square, (void *)i) != 0)
			return 1;
	for (int i = 0; i < 8; i++) {
		void *result;
		pthread_join(threads[i], &result);
		sum += (long)result;
	}
	printf("%ld\n", sum);
	return 0;
}
