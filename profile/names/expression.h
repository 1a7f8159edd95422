/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perl's substitutions, s/OLD/NEW/gi, as cg_diff takes them for --mod-filename
 * and --mod-funcname.  What that does with a valid one is done here too:
 *
 * - any delimiter that Perl allows: s{OLD}{NEW}, s|OLD|NEW|, s'OLD'NEW' (nothing
 *   between single quotes is special in NEW);
 * - the flags g i m n s x (xx); a c d o p, which change nothing for a name;
 * - OLD is a regular expression of bytes (PCRE2's), NEW as in replacement.h.
 *
 * What Perl would run as code or look for in its script is an error (the flag e,
 * other variables than those of the match, several statements, tr///), and so is
 * what cg_diff takes without a word and then does nothing with: an empty OLD, the flag r.
 *
 * Matching is limited, to about as many steps as take 0.1 s: an expression that tries
 * all ways through a name ("(a+)+$") is an error when it is applied.
 */
#ifndef PROFILE_NAMES_EXPRESSION_H
#define PROFILE_NAMES_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/common/bytes.h"
#include "profile/common/error.h"

struct expression;

/*
 * Reads an expression of NUL-terminated text, which is not kept.  Owned by the
 * caller, to be freed; env outlives it.  NULL: PROFILE_SYNTAX, error->column (1.. in
 * text, bytes; line is 1) says where and error->text what was expected, or PROFILE_NO_MEMORY.
 * error->file is left to the caller.
 */
struct expression *expression_new(const struct env *env, const char *text,
				  struct profile_error *error);
void expression_free(struct expression *expression);

/*
 * Replaces in len bytes of a name: if something matched, the new name is added
 * to out and *matched is set to true, else all is as before and *matched false.
 * Not for two threads at once.  Returns a status: PROFILE_RANGE if a limit of
 * matching, or EXPRESSION_MAX_NAME bytes, were exceeded (error says so), or
 * PROFILE_NO_MEMORY.
 */
enum { EXPRESSION_MAX_NAME = 1024 * 1024 };
int expression_apply(struct expression *expression, const char *name, size_t len, struct bytes *out,
		     bool *matched, struct profile_error *error);

#endif
