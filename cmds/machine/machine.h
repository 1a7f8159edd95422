/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the text of a machine comes from: a preset, a file, or this computer; and names of machines for shells. */
#ifndef CMDS_MACHINE_MACHINE_H
#define CMDS_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#include "cmds/cli/inputs.h"
#include "sim/machines/hostmachine.h"
#include "sim/machines/machinefile.h"

/* Fields are private but machine, which points into others: not to be moved. */
struct machinesource {
	struct machinefile machine;
	struct machinefile base; /* of host: the preset that it was made with */
	struct hostmachine host; /* its text */
	struct wholefile file;   /* the text of a file */
	bool has_file;
};

/*
 * Reads the machine that word names: "host", the name of a preset, else a file ("-" is standard input). The host is as it was
 * measured (costgrind machine --measure), if it was. Returns an exit code, after a message by the command's name if it is not EXIT_FINE; release it in any
 * case.  Warns of caches that are not known, unless quiet.
 */
int machinesource_read(struct machinesource *source, const char *command, const char *word,
		       bool quiet);
void machinesource_release(struct machinesource *source);

/* True if this computer is a virtual one that may get less L3 than CPUID reports, and was not measured. */
bool machine_should_be_measured(void);

/* For shells: word i that can name a machine, and what it is, to be shown up to its first line feed; false after the last. */
bool machine_word_at(size_t i, const char **word, const char **text);

#endif
