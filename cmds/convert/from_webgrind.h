/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads Webgrind's preprocessed files, versions 4 to 7, and reports to a visitor what is
 * in them: one part with one event, a cost for each function, its calls.
 *
 * It is strict: records follow each other without gaps, each pointer is followed, of a
 * call both ends say the same.  Versions 4 to 6 have no line of a function, so its cost is at
 * line 0.  In version 4 each call counts 1.
 */
#ifndef CMDS_CONVERT_FROM_WEBGRIND_H
#define CMDS_CONVERT_FROM_WEBGRIND_H

#include "cmds/cli/wholefile.h"
#include "profile/common/dictionary.h"
#include "profile/common/error.h"
#include "profile/common/visitor.h"
#include "profile/format/reader.h"

/*
 * Reads a file in memory.  Names get their keys from names (reader_dictionaries_init()).
 * Returns a status; of PROFILE_SYNTAX the error says at which byte.
 */
int from_webgrind_text(const struct reader_text *text, struct dictionary *names,
		       const struct visitor *visitor, const struct env *env,
		       struct profile_error *error);

/*
 * A check while such a file is read: it begins with a version that is known, and has no more than
 * READER_MAX_LINE bytes from where it says that the headers are.
 */
int from_webgrind_check(const struct wholefile *file, size_t n_new, struct profile_error *error);

#endif
