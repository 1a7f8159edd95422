/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * costgrind machine: what a simulated machine consists of, and where each of its numbers comes from.
 */
#ifndef CMDS_MACHINE_MACHINE_H
#define CMDS_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "cmds/cli/option.h"
#include "cmds/emit/document.h"
#include "sim/machines/machinefile.h"

extern const struct option_rule machine_options[];

int machine_main(int argc, char **argv);

/*
 * For shells: word i that can name a machine, and what it is, of which the first line is to be shown; false
 * behind the last.
 */
bool machine_word_at(size_t i, const char **word, const char **text);

/*
 * Writes a machine, or all that are built in, in the format of a back end; false if memory ran out.  Errors of writing
 * stay in the stream.  (machinereport.c)
 */
bool machine_print(const struct machinefile *machine, const struct document_backend *backend,
		   FILE *out);
bool machine_print_all(const struct document_backend *backend, FILE *out);

#endif
