/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What only tests do: read a profile that is in memory; read a model from a file in one call; add models
 * up; and compare them by a text that says all of a model. That is the same for equal models, whatever the order in
 * which they were read, and no format that anybody else reads; it may change.
 */
#ifndef TESTS_COMMON_MODELS_H
#define TESTS_COMMON_MODELS_H

#include <stdint.h>

#include "profile/format/reader.h"
#include "profile/model/build.h"
#include "profile/model/model.h"

/*
 * Writes the text with env->write (memory is env's too).  Returns a status;
 * PROFILE_IO if writing failed.
 */
int canon_write(const struct model *model, const struct env *env);

/* A 64-bit hash (FNV-1a) of the text; memory is the model's env's.  Returns a status. */
int canon_hash(const struct model *model, uint64_t *hash);

/*
 * reader_read() of a file in memory, which may be compressed too.  error->file is its name; its
 * len bytes are put into a file that has none.
 */
int read_profile(const struct reader_text *text, const struct reader_options *options,
		 const struct visitor *visitor, struct reader_report *report,
		 struct profile_error *error);

/*
 * Reads path into an empty, initialised model and finishes it.  Options and report may be NULL;
 * reading->names is ignored.  On failure the model is to be released.
 */
int model_read(struct model *model, const char *path, const struct reader_options *reading,
	       const struct builder_options *building, struct reader_report *report,
	       struct profile_error *error);

/* Adds a finished model, times factor, to another one, and finishes that.  Returns a status. */
int model_add(struct model *to, const struct model *from, int64_t factor);

#endif
