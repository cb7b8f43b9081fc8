// Ways to somebody else by a socket.

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "probe.h"

enum { INTERFACES_MAX = 64 };

// A connection that succeeds, or a datagram that is only said to be sent: that it arrives is for the host to see.
static bool send_to(const struct sockaddr *address, socklen_t length, int type, const void *text, size_t size)
{
	const int fd = socket(address->sa_family, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno_is_kept();
	const bool reached = connect(fd, address, length) == 0;
	if (!reached)
		errno_is_kept();
	const bool sent = reached && write(fd, text, size) == (ssize_t)size;
	close(fd);
	if (type == SOCK_DGRAM)
		return sent && only_said("sent");
	return reached && found("connected");
}

static bool send_token(const struct sockaddr *address, socklen_t length, int type)
{
	const char *token = given("token");
	return send_to(address, length, type, token, strlen(token));
}

static bool over_four(int type, const char *port)
{
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(port)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	return send_token((const struct sockaddr *)&address, sizeof address, type);
}

static bool over_six(int type, const char *port)
{
	const struct sockaddr_in6 address = {
		.sin6_family = AF_INET6,
		.sin6_port = htons((uint16_t)atoi(port)),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};
	return send_token((const struct sockaddr *)&address, sizeof address, type);
}

static bool tcp4(void) { return over_four(SOCK_STREAM, given("tcp4")); }
static bool udp4(void) { return over_four(SOCK_DGRAM, given("udp4")); }
static bool tcp6(void) { return over_six(SOCK_STREAM, given("tcp6")); }
static bool udp6(void) { return over_six(SOCK_DGRAM, given("udp6")); }

// A question for the address of TOKEN (RFC 1035, 4.1), as a resolver asks it.
static bool dns(void)
{
	const char *token = given("token");
	const size_t length = strlen(token);
	uint8_t question[300] = { 0x5a, 0x5a, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0 };
	uint8_t *at = question + 12;
	*at++ = (uint8_t)length;
	memcpy(at, token, length);
	at += length + 1;
	memcpy(at, (const uint8_t[]){ 0, 1, 0, 1 }, 4);
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(given("dns"))),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	return send_to((const struct sockaddr *)&address, sizeof address, SOCK_DGRAM, question,
		       (size_t)(at + 4 - question));
}

struct sockaddr_un abstract_name(const char *name, socklen_t *length)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", name);
	*length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
	return address;
}

static bool abstract(void)
{
	socklen_t length;
	const struct sockaddr_un address = abstract_name(given("abstract"), &length);
	return send_token((const struct sockaddr *)&address, length, SOCK_STREAM);
}

static bool interfaces(void)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno_is_kept();
	bool other = false;
	for (int i = 1; i <= INTERFACES_MAX && !other; i++) {
		struct ifreq interface = { .ifr_ifindex = i };
		other = ioctl(fd, SIOCGIFNAME, &interface) == 0 && strcmp(interface.ifr_name, "lo") != 0 &&
			found("%s", interface.ifr_name);
	}
	close(fd);
	return other;
}

static bool raw_socket(void) { return socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) >= 0 || errno_is_kept(); }
static bool packet_socket(void) { return socket(AF_PACKET, SOCK_RAW, 0) >= 0 || errno_is_kept(); }
static bool netlink_socket(void) { return socket(AF_NETLINK, SOCK_RAW, 0) >= 0 || errno_is_kept(); }
static bool vsock_socket(void) { return socket(AF_VSOCK, SOCK_STREAM, 0) >= 0 || errno_is_kept(); }

static const struct attempt list[] = {
	{ "tcp4", tcp4, "tcp4" },
	{ "udp4", udp4, "udp4" },
	{ "dns", dns, "dns" },
	{ "tcp6", tcp6, "tcp6" },
	{ "udp6", udp6, "udp6" },
	{ "abstract", abstract, "abstract" },
	{ "interfaces", interfaces, NULL },
	{ "raw_socket", raw_socket, NULL },
	{ "packet_socket", packet_socket, NULL },
	{ "netlink_socket", netlink_socket, NULL },
	{ "vsock_socket", vsock_socket, NULL },
};

const struct attempts network_attempts = { list, sizeof list / sizeof list[0] };
