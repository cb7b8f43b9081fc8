// How a program of ours gives up or complains. Each program implements these two in its own way:
// the supervisor tells the service by an ERROR frame, the launcher its log.
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include "protocol.h"

/// Ends the program (and with it the jail). For ERROR_SYSCALL the text of errno is added.
_Noreturn void die(enum error_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// One line to the log; for what is odd but harmless.
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
