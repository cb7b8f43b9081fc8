// What the parts of the probe share: its arguments, and an attempt's words.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { PATH = 4096 };

struct attempt {
	const char *name;
	bool (*is_open)(void);
	const char *needs; // an argument without which it is left out
};

struct attempts {
	const struct attempt *list;
	size_t count;
};

extern const struct attempts network_attempts, kernel_attempts, file_attempts, leftovers;

/// The value of an argument NAME=VALUE; null if it was not given.
const char *given(const char *name);

/// True, with the attempt's own words.
__attribute__((format(printf, 1, 2))) bool found(const char *format, ...);

/// False, with the words of `errno`.
bool errno_is_kept(void);

/// False, with the attempt's own words: only the host can say what came of it.
bool only_said(const char *text);

/// False: nothing was there to try it on. Nothing is reported, which the service takes for neither a hole nor a refusal.
bool not_tried(void);

/// The abstract address of a name.
struct sockaddr_un abstract_name(const char *name, socklen_t *length);

/// Leaves what it can for a next run, where `leftovers` look for it.
void leave(void);
