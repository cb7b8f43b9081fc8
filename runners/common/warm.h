// What the supervisor and a warm runtime say to each other over a SOCK_SEQPACKET socket, one message each way a run.
// The runtime forks the program into the namespaces of a run's init; the program is the supervisor's child, or, where the
// kernel cannot make it that (gVisor), the runtime's, which then waits for it. A runtime knows nothing of tests or other
// runs, and runs no submitted code itself.
#ifndef ASSAY_WARM_H
#define ASSAY_WARM_H

#include <stdint.h>

enum {
	/// Payload of RUN that a warm runtime takes; a longer one is executed the cold way.
	WARM_PAYLOAD_MAX = 65536,
	/// Descriptors sent with a request: pidfd of the run's init, then the program's 0, 1, 2 and the status pipe.
	WARM_FDS = 5,
	WARM_TEXT_MAX = 512,
};

/// Followed by the payload of the RUN frame.
struct warm_request {
	uint32_t uid;
	int32_t niceness; // as in struct launch
	uint32_t by_cgroup; // bits WARM_MEMORY, WARM_PIDS, WARM_CPU
	uint32_t root_is_own; // as the supervisor's
};
enum { WARM_MEMORY = 1, WARM_PIDS = 2, WARM_CPU = 4 };

/// The runtime's messages: one WARM_READY at its start, then one WARM_FORKED a request, or WARM_KEPT where it waits for the
/// program itself and reports its end by the status pipe; and WARM_FAILED, with a text behind it, for whatever ends it.
struct warm_answer {
	uint32_t kind;
	int32_t pid; // in the jail, or −errno
};
enum { WARM_READY = 1, WARM_FORKED, WARM_FAILED, WARM_KEPT };

#endif
