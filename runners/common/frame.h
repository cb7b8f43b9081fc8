// Frame headers, little-endian cursors and path rules. Pure: no system call, no allocation.
#ifndef ASSAY_FRAME_H
#define ASSAY_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol.h"

/// Who may send a frame of a type.
enum sender { FROM_SERVICE = 1, FROM_SUPERVISOR = 2, FROM_CLIENT_OF_LAUNCHER = 4 };

/// One frame; `payload` points into the buffer it was parsed from.
struct frame {
	uint8_t type;
	uint8_t flags;
	uint32_t id;
	uint32_t length;
	const uint8_t *payload;
};

enum frame_status { FRAME_WHOLE, FRAME_MORE, FRAME_BAD };

/// Parses the frame at the start of `bytes`. FRAME_MORE: not whole yet. FRAME_BAD: the header breaks a
/// rule; `*why` says which. The header is judged as soon as its 12 bytes are there.
enum frame_status frame_parse(const uint8_t *bytes, size_t have, enum sender from, struct frame *out,
			      const char **why);

/// Writes the 12 header bytes.
void frame_header(uint8_t *out, uint8_t type, uint8_t flags, uint32_t id, uint32_t length);

/// A read cursor: a read beyond the end yields 0 and sets `bad`, which later reads keep.
struct cursor {
	const uint8_t *at;
	const uint8_t *end;
	bool bad;
};
struct cursor cursor_of(const uint8_t *bytes, size_t length);
uint8_t take_u8(struct cursor *c);
uint16_t take_u16(struct cursor *c);
uint32_t take_u32(struct cursor *c);
uint64_t take_u64(struct cursor *c);
const uint8_t *take_bytes(struct cursor *c, size_t length);

/// Writes little-endian at *at and moves it on.
void put_u16(uint8_t **at, uint16_t v);
void put_u32(uint8_t **at, uint32_t v);
void put_u64(uint8_t **at, uint64_t v);

/// True for a path that a FILE frame, `collect` or a LAUNCH record may name: relative, 1 to 4096 bytes, at
/// most 32 components of 1 to 255 bytes, none `.` or `..`, no NUL.
bool path_allowed(const uint8_t *path, size_t length);

#endif
