// How: an initialised array makes the executable itself larger than the disk that its runs get.
// Expected: disk_limit, a failure of the program's; never a fault, which would hide the failure from the reward.
char array[9 << 20] = { 1 };
int main(void) { return 0; }
