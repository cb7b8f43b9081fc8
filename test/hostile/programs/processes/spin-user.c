// How: an endless loop in user code.
// Expected: time_limit by cpu.
int main(void)
{
	volatile unsigned long i = 0;
	for (;;)
		i++;
}
