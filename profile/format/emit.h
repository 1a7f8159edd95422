/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A visitor that writes what is reported to it, through writer/: a profile in the
 * Callgrind format that every reader takes (docs/FORMAT.md), as costgrind's tool
 * writes it.  What the tool wrote comes out byte for byte.
 *
 * What a header says after the costs (Xdebug's "summary:", an "event:" that
 * comes late) has no place any more when the reader reports it; a walk of a
 * model reports it in time.  "totals:" is written if it was there.
 */
#ifndef PROFILE_FORMAT_EMIT_H
#define PROFILE_FORMAT_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/dictionary.h"
#include "profile/common/visitor.h"
#include "writer/writer.h"

/* Fields are private, but visitor and full_rows; not to be moved. */
struct emitter {
	struct visitor visitor;
	const struct env *env;
	struct writer writer;
	struct writer_options options;
	bool has_writer;          /* a part came */
	size_t n_events;          /* columns of the part */
	struct idtable places;    /* numbers of (object, file) */
	struct idtable functions; /* numbers of (place, name) */
	uint32_t n_places, n_functions;
	struct place place;            /* that was reported last */
	bool place_is_new;             /* it has not been written at all */
	uint64_t function;             /* being written, see emit.c */
	uint32_t object, file, source; /* keys of what is in force */
	bool in_function, has_object, is_signed;
	bool full_rows; /* may be set before anything is reported: see writer_fill_rows() */
};

/*
 * Writes with env->write; memory is env's too.  Of the options, positions is not used.
 */
void emitter_init(struct emitter *emitter, const struct env *env,
		  const struct writer_options *options);

/* Ends the file; returns what writer_finish() does.  An empty profile is the first two lines. */
int emitter_finish(struct emitter *emitter);

void emitter_release(struct emitter *emitter);

#endif
