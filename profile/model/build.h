/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a model of what is reported to its visitor: by the reader, by a walk of
 * another model, by both, any number of times; all is added up.
 *
 *	struct model model;
 *	struct builder builder;
 *	struct reader_options reading = { .names = model.names };
 *
 *	model_init(&model);
 *	builder_init(&builder, &model, NULL);
 *	builder_begin_file(&builder, path, model.names);
 *	status = reader_read(path, &reading, &builder.visitor, NULL, &error);
 *	if (!status)
 *		status = builder_finish(&builder);
 *	builder_release(&builder);
 */
#ifndef PROFILE_MODEL_BUILD_H
#define PROFILE_MODEL_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/visitor.h"
#include "profile/model/model.h"

struct cost_buffer; /* what was reported of the function at work, not yet packed */

struct builder_options {
	bool no_positions;   /* costs and calls of functions only: all positions become 0 */
	bool no_jumps;       /* drops them */
	bool separate_parts; /* keeps costs of each part apart (model.h) */
	/* Parts that are not wanted are left out if this returns false; may be NULL. */
	bool (*wants_part)(void *ctx, const struct part *part);
	/*
	 * Another text for a name, called once for each; may be NULL.  Sets *text and
	 * *len, which stay as they are until the next call, and returns true; or
	 * false to leave the name as it is.
	 */
	bool (*rename)(void *ctx, enum name_kind kind, const char **text, size_t *len);
	void *ctx; /* first argument of the two */
	/*
	 * If not NULL, the model has these events, n_events of them, in this order, and
	 * costs of others are left out; else it has all that come, by name.
	 */
	const char *const *events;
	size_t n_events;
};

/* Which function a name of the source was, in an object and a file of the source. */
struct builder_function {
	uint32_t object, file; /* keys */
	uint32_t function;     /* MODEL_NO_FUNCTION = not known yet */
};

/* Fields are private, but visitor; not to be moved. */
struct builder {
	struct visitor visitor; /* what is reported here goes into the model */
	struct model *model;
	struct builder_options options;
	const char *file;                /* of the parts that follow; copied when one comes */
	uint32_t *numbers[N_NAME_KINDS]; /* by key of the source: number of the name */
	size_t n_numbers[N_NAME_KINDS];
	struct builder_function *known; /* by key of the function's name: the last one of that name */
	size_t n_known;
	const struct dictionary *source; /* of those keys */
	const char *copied_file;
	struct cost_buffer *buffer; /* owned */
	uint32_t function;          /* at work, MODEL_NO_FUNCTION = none */
	struct place place; /* that was reported last; its function is made when something comes */
	bool place_is_new;
	uint32_t source_file;                 /* number of place.source */
	uint32_t part;                        /* that costs are added to */
	struct model_part *header;            /* of the part at work */
	bool skips_part;                      /* it is not wanted */
	bool identity;                        /* columns are the model's events */
	uint16_t columns[PROFILE_MAX_EVENTS]; /* event of each column, PROFILE_MAX_EVENTS = none */
	size_t n_columns;
	bool had_large; /* the model's has_large when the file began */
	uint64_t mapped[PROFILE_MAX_EVENTS];
	struct profile_error error; /* why the visitor failed, if there is more to say */
};

/*
 * A builder that adds to a model, which is initialised, perhaps not empty, and outlives
 * it.  options are copied, what they point to is borrowed; NULL = none.
 */
void builder_init(struct builder *builder, struct model *model,
		  const struct builder_options *options);
void builder_release(struct builder *builder);

/*
 * What follows is of this file (NULL = none), whose names have keys of this
 * source: the reader's dictionaries, or a model's.  To be called before each
 * file or model.
 */
void builder_begin_file(struct builder *builder, const char *file, const struct dictionary *source);

/*
 * Sorts and sums what is not yet so: the model is finished and can be read.
 * More may be added and finished later.  Returns a status; PROFILE_RANGE if
 * sums are beyond 64 bits.
 */
int builder_finish(struct builder *builder);

#endif
