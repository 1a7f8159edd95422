/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text that says all of a model, the same for equal models, whatever the order
 * in which they were read: for comparing models, and for proving that a file was
 * read to its end.  No format that anybody else reads; it may change.
 */
#ifndef PROFILE_MODEL_CANON_H
#define PROFILE_MODEL_CANON_H

#include <stdint.h>

#include "profile/model/model.h"

/*
 * Writes the text with env->write (memory is env's too).  Returns a status;
 * PROFILE_IO if writing failed.
 */
int canon_write(const struct model *model, const struct env *env);

/* A 64-bit hash (FNV-1a) of the text; memory is the model's env's.  Returns a status. */
int canon_hash(const struct model *model, uint64_t *hash);

#endif
