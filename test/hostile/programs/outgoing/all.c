// How: as all.py, by the system calls; C and C++ alike.
// Expected: exited 0, "tried"; nothing arrives.
#include <arpa/inet.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void tell(int type, const void *address, socklen_t length, const char *token)
{
	int fd = socket(((const struct sockaddr *)address)->sa_family, type, 0);
	if (connect(fd, (const struct sockaddr *)address, length) == 0 && write(fd, token, strlen(token)) < 0)
		perror("write");
	close(fd);
}

int main(int argc, char **argv)
{
	for (int i = 2; i < 5 && argc > 7; i++) {
		struct sockaddr_in four = { 0 };
		four.sin_family = AF_INET;
		four.sin_port = htons((unsigned short)atoi(argv[i]));
		four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		tell(i == 2 ? SOCK_STREAM : SOCK_DGRAM, &four, sizeof four, argv[1]);
	}
	for (int i = 5; i < 7 && argc > 7; i++) {
		struct sockaddr_in6 six = { 0 };
		six.sin6_family = AF_INET6;
		six.sin6_port = htons((unsigned short)atoi(argv[i]));
		six.sin6_addr = in6addr_loopback;
		tell(i == 5 ? SOCK_STREAM : SOCK_DGRAM, &six, sizeof six, argv[1]);
	}
	struct sockaddr_un name = { 0 };
	name.sun_family = AF_UNIX;
	strncpy(name.sun_path + 1, argv[argc - 1], sizeof name.sun_path - 2);
	tell(SOCK_STREAM, &name, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(argv[argc - 1])), argv[1]);
	puts("tried");
	return 0;
}
