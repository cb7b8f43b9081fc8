// How: a static array larger than the memory limit, every page touched.
// Expected: memory_limit.
static char array[1 << 30];

int main(void)
{
	for (unsigned long i = 0; i < sizeof array; i += 4096)
		array[i] = 1;
	return array[12345];
}
