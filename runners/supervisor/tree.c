// A work folder as a whole: what is to lie in it before a run besides the content of files, and what lies in it after. The
// walk is made when everything of the run is dead, below a descriptor, and follows no link; its depth, entries and bytes
// are bounded.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "supervisor.h"

#define US_PER_S ((uint64_t)1000000)
// What both sides can write as a number; times beyond it are brought to it.
#define MTIME_MAX_US (((uint64_t)1 << 53) - 1)

/* Before the run */

struct entry_head {
	uint8_t kind;
	uint16_t mode;
	uint64_t mtime_us;
	char path[MAX_PATH_BYTES + 1];
	char target[MAX_TARGET_BYTES + 1];
};

static struct entry_head parse(const struct frame *f)
{
	struct entry_head e = { 0 };
	struct cursor c = cursor_of(f->payload, f->length);
	e.kind = take_u8(&c);
	e.mode = take_u16(&c);
	e.mtime_us = take_u64(&c);
	uint16_t length = take_u16(&c);
	const uint8_t *name = take_bytes(&c, length);
	if (!name || !path_allowed(name, length))
		die(ERROR_PROTOCOL, "ENTRY: path is not allowed");
	memcpy(e.path, name, length);
	size_t target = (size_t)(c.end - c.at);
	bool is_link = e.kind == ENTRY_LINK;
	if (e.kind < ENTRY_FILE || e.kind > ENTRY_LINK || e.mode > 0777 || e.mtime_us > MTIME_MAX_US)
		die(ERROR_PROTOCOL, "ENTRY: kind, mode or time out of range");
	if (is_link ? target < 1 || target > MAX_TARGET_BYTES || memchr(c.at, 0, target) : target > 0)
		die(ERROR_PROTOCOL, "ENTRY: target is not allowed");
	memcpy(e.target, c.at, target);
	return e;
}

static void set_mode(int dir, const char *name, const struct entry_head *e)
{
	int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (e->kind == ENTRY_FOLDER ? O_DIRECTORY : 0);
	int fd = openat(dir, name, flags);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0 || (e->kind == ENTRY_FILE && !S_ISREG(st.st_mode)))
		die(ERROR_PROTOCOL, "ENTRY: the path is of another kind");
	if (fchmod(fd, e->mode) < 0)
		die(ERROR_SYSCALL, "ENTRY: chmod");
	close(fd);
}

void tree_entry(unsigned stage, const struct frame *f)
{
	struct entry_head e = parse(f);
	int top = staging_exact(stage);
	char *last;
	int dir = staging_parent(top, e.path, true, 0, &last);
	if (dir < 0)
		die(ERROR_PROTOCOL, "ENTRY: a parent of the path is not a directory");
	if (e.kind == ENTRY_FOLDER && mkdirat(dir, last, 0755) < 0 && errno != EEXIST)
		die(ERROR_SYSCALL, "ENTRY: mkdir");
	if (e.kind == ENTRY_LINK && symlinkat(e.target, dir, last) < 0)
		die(errno == EEXIST ? ERROR_PROTOCOL : ERROR_SYSCALL, "ENTRY: symlink");
	if (e.kind != ENTRY_LINK)
		set_mode(dir, last, &e);
	const struct timespec time = { .tv_sec = (time_t)(e.mtime_us / US_PER_S),
				       .tv_nsec = (long)(e.mtime_us % US_PER_S) * 1000 };
	if (utimensat(dir, last, (const struct timespec[2]){ time, time }, AT_SYMLINK_NOFOLLOW) < 0)
		die(ERROR_SYSCALL, "ENTRY: times");
	close(dir);
	close(top);
}

/* After the run */

static struct {
	uint32_t id, entries;
	uint64_t bytes; // left
	uint16_t status;
	size_t length; // of the path
	char path[MAX_PATH_BYTES + 1];
	uint8_t frame[ENTRY_FIXED + MAX_PATH_BYTES + MAX_CHUNK];
} walk;

static uint64_t mtime_us(const struct stat *st)
{
	if (st->st_mtim.tv_sec < 0)
		return 0;
	uint64_t seconds = (uint64_t)st->st_mtim.tv_sec;
	return seconds >= MTIME_MAX_US / US_PER_S ? MTIME_MAX_US :
						    seconds * US_PER_S + (uint64_t)st->st_mtim.tv_nsec / 1000;
}

// The head of the entry at the walk's path; returns where its content goes.
static uint8_t *put_head(uint8_t kind, uint16_t mode, uint64_t time)
{
	uint8_t *at = walk.frame;
	*at++ = kind;
	put_u16(&at, mode);
	put_u64(&at, time);
	put_u16(&at, (uint16_t)walk.length);
	memcpy(at, walk.path, walk.length);
	return at + walk.length;
}

static void send_frame(uint8_t flags, const uint8_t *end)
{
	channel_send(FRAME_TREE, flags, walk.id, walk.frame, (size_t)(end - walk.frame));
}

static void send_file(int dir, const char *name, const struct stat *st)
{
	if (st->st_size < 0 || (uint64_t)st->st_size > walk.bytes) {
		walk.status = TREE_TOO_LARGE;
		return;
	}
	uint64_t left = (uint64_t)st->st_size;
	walk.bytes -= left;
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		die(ERROR_SYSCALL, "opening a file of the work folder");
	uint8_t *at = put_head(ENTRY_FILE, st->st_mode & 0777, mtime_us(st));
	uint8_t continued = 0;
	do {
		size_t want = left < MAX_CHUNK ? (size_t)left : MAX_CHUNK;
		for (size_t have = 0; have < want;) {
			ssize_t n = read(fd, at + have, want - have);
			if (n <= 0)
				die(ERROR_SYSCALL, "reading a file of the work folder");
			have += (size_t)n;
		}
		left -= want;
		send_frame((uint8_t)(continued | (left ? TREE_MORE : 0)), at + want);
		continued = TREE_CONTINUED;
		at = walk.frame;
	} while (left);
	close(fd);
}

static void send_link(int dir, const char *name, const struct stat *st)
{
	uint8_t *at = put_head(ENTRY_LINK, 0777, mtime_us(st));
	ssize_t n = readlinkat(dir, name, (char *)at, MAX_TARGET_BYTES + 1);
	if (n < 0)
		die(ERROR_SYSCALL, "reading a link of the work folder");
	if (n > MAX_TARGET_BYTES)
		walk.status = TREE_TOO_DEEP;
	else
		send_frame(0, at + n);
}

static void send_folder(int dir, const char *name, unsigned depth);

static void send_entry(int dir, const char *name, unsigned depth)
{
	size_t before = walk.length, length = strlen(name);
	struct stat st;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		die(ERROR_SYSCALL, "looking at the work folder");
	if (depth > MAX_PATH_DEPTH || before + 1 + length > MAX_PATH_BYTES) {
		walk.status = TREE_TOO_DEEP;
		return;
	}
	if (walk.entries-- == 0) {
		walk.status = TREE_TOO_MANY;
		return;
	}
	if (before)
		walk.path[walk.length++] = '/';
	memcpy(walk.path + walk.length, name, length);
	walk.length += length;
	if (S_ISDIR(st.st_mode)) {
		send_frame(0, put_head(ENTRY_FOLDER, st.st_mode & 0777, mtime_us(&st)));
		send_folder(dir, name, depth);
	} else if (S_ISREG(st.st_mode))
		send_file(dir, name, &st);
	else if (S_ISLNK(st.st_mode))
		send_link(dir, name, &st);
	else
		send_frame(0, put_head(ENTRY_SPECIAL, 0, 0));
	walk.length = before;
}

static void send_all(int fd, unsigned depth)
{
	DIR *folder = fdopendir(fd);
	if (!folder)
		die(ERROR_SYSCALL, "opening a folder of the work folder");
	for (;;) {
		errno = 0;
		const struct dirent *e = walk.status == TREE_WHOLE ? readdir(folder) : NULL;
		if (!e && errno)
			die(ERROR_SYSCALL, "listing the work folder");
		if (!e)
			break;
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			send_entry(fd, e->d_name, depth);
	}
	closedir(folder);
}

// Recursion is bounded: what lies deeper than MAX_PATH_DEPTH ends the walk.
static void send_folder(int dir, const char *name, unsigned depth)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		die(ERROR_SYSCALL, "opening a folder of the work folder");
	send_all(fd, depth + 1);
}

void tree_send(const struct request *q, uint32_t id)
{
	walk.id = id;
	walk.bytes = q->collect_bytes;
	walk.entries = q->inodes;
	walk.status = TREE_WHOLE;
	walk.length = 0;
	send_all(staging_work(), 1);
	walk.length = 0;
	send_frame(0, put_head(ENTRY_END, walk.status, 0));
}
