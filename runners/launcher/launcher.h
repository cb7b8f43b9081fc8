// The launcher's only header, one section per file.
#ifndef ASSAY_LAUNCHER_H
#define ASSAY_LAUNCHER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../common/frame.h"
#include "../common/report.h"

enum { CGROUP_PARENTS = 8, JAILS_MAX = 1024, NAME_BYTES = 24 };

struct settings {
	const char *socket;
	// One of the two makes the jail.
	const char *maker; // nsjail or enclose, which take their configuration alike
	const char *runsc;
	const char *jails; // of runsc: where each jail has a folder while it lives
	int jails_fd;
	const char *cgroups[CGROUP_PARENTS];
	int cgroup_fds[CGROUP_PARENTS];
	unsigned cgroup_count;
	unsigned jails_max;
};

/* child.c: from an accepted connection to the wall */

/// Reads LAUNCH from the connection, carries out its records and becomes nsjail, enclose or runsc. A failure is answered with an
/// ERROR frame. `parent` is the launcher's pid: its death ends the jail.
_Noreturn void child_main(const struct settings *s, int connection, const char *name, pid_t parent);

/* groups.c: the cgroups of a jail */

/// Kills what is left in `<parent>/<name>` of every parent and removes the groups. False while one remains.
bool groups_remove(const struct settings *s, const char *name);
/// Whether all of a jail together met its cap of memory and was killed for it; asked before its groups are removed.
bool groups_met_cap(const struct settings *s, const char *name);
/// Removes the groups that an earlier launcher left; the parents belong to one launcher.
void groups_sweep(const struct settings *s);

/* folders.c: the folder of a jail, which only runsc needs */

/// Makes `<jails>/<name>` and a file in it, open for writing. Returns -1 with errno.
int folder_make(const struct settings *s, const char *name, const char *file);
/// Removes the folder with all files in it; nothing where there is none.
void folder_remove(const struct settings *s, const char *name);

#endif
