/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are written beside the profile, in its directory, under names that follow the profile's
 * (writer/shared/besidename.h): data.77.costgrind of costgrind.out.77, data.prog.out.costgrind of prog.out.  So two
 * runs have the same only if they have the same profile; a pid would not do, since there may be
 * namespaces of them.  It is the pid where the profile is no file, or has a name that leaves no room.
 */
#ifndef TOOL_OUTPUT_BESIDE_H
#define TOOL_OUTPUT_BESIDE_H

#include "pub_tool_basics.h"

#include "tool/output/output.h"

enum beside_file {
	BESIDE_TREE, /* --call-tree=yes: tool/output/treefile.h */
	BESIDE_DATA, /* --data=yes: tool/output/datafile.h */
	N_BESIDE,
};

struct besides {
	Bool wanted[N_BESIDE];
	Bool has_profile; /* there is one beside which they lie */
	struct output outputs[N_BESIDE];
};

/* At the start of the run, after the profile's output_init(): where each will go that is wanted. */
void beside_init(void);

/* The name of a file that is wanted, with that suffix and without its directory; VG_(free) it. */
HChar *beside_name(enum beside_file file, const HChar *suffix);

/* What output_fork() (after that of the profile), output_hold(), output_begin_dump() and output_withdraw() do, of all of them. */
void beside_fork(void);
void beside_hold(void);
void beside_begin_dump(void);
void beside_withdraw(void);

/* Whether any is wanted: they are of all threads. */
Bool beside_any(void);

/*
 * Writes them, after the profile of the same suffix and trigger, whose costs and calls have been brought up
 * to date.  An error is reported in one line, and with closing_line success too.
 */
Bool beside_write(const HChar *suffix, const HChar *trigger, Bool closing_line);

#endif
