/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all files have in common that the tool writes. */
#ifndef TOOL_OUTPUT_WRITING_H
#define TOOL_OUTPUT_WRITING_H

#include "pub_tool_basics.h"

#include "tool/output/output.h"
#include "writer/writer.h"

/* Memory from the core, and bytes to a file, which is borrowed. */
struct env writing_env(struct output_file *file);

/* The command line of the program. */
void writing_command(struct writer *writer);

/* Reports in one line why a file was not written, and what is there instead. */
void writing_report_error(const struct output_file *file, const HChar *suffix, Int error);

/*
 * The same of a part that is not the last, whose costs go on being counted; what there is of it is
 * removed, since it may take the room that the next one needs.
 */
void writing_report_unwritten_part(const struct output_file *file, const HChar *suffix, Int error);

/* Reports that a file that was written was overwritten without a partial one, and why, if so. */
void writing_report_in_place(const struct output_file *file, const HChar *suffix);

/* -- lines of the header --------------------------------------------------- */

/* Lines "desc: name: text" that the program adds to the header of profiles. */

struct desc;

/* In the order in which they were added; all zero is none. */
struct descs {
	struct desc *first, *last;
	UInt n;
};

enum {
	MAX_DESCS = 1000, /* a program may add lines in a loop */
};

/*
 * Adds a line, unless there is the same one; what would end it becomes a blank.  Both are
 * copied.  Returns whether there was room.
 */
Bool descs_add(struct descs *descs, const HChar *name, const HChar *text);

/* Whether there is a line of that name. */
Bool descs_have(const struct descs *descs, const HChar *name);

void descs_write(const struct descs *descs, struct writer *writer);

#endif
