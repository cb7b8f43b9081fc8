// How: exits with the code given as its argument, as if it had been killed.
// Expected: exited with exactly that code: 137 is no kill, 255 is no fault.
#include <stdlib.h>

int main(int argc, char **argv)
{
	return argc > 1 ? atoi(argv[1]) : 0;
}
