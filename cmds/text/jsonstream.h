/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes JSON (RFC 8259) without blanks, for programs only: texts as cmds/text/json.h writes them;
 * numbers that a double cannot hold exactly, beyond 2^53 - 1, as texts of digits.
 */
#ifndef CMDS_TEXT_JSONSTREAM_H
#define CMDS_TEXT_JSONSTREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "writer/out.h"

/* Fields are private. */
struct jsonstream {
	struct out *out;
	bool follows; /* a value: before the next one comes a comma */
};

/* out is borrowed; errors stick there. */
void jsonstream_init(struct jsonstream *json, struct out *out);

/* key is the name in an object; NULL in an array and at the top.  bracket is one of "[{]}". */
void jsonstream_open(struct jsonstream *json, const char *key, char bracket);
void jsonstream_close(struct jsonstream *json, char bracket);
void jsonstream_text(struct jsonstream *json, const char *key, const char *text, size_t len);
void jsonstream_string(struct jsonstream *json, const char *key, const char *text);
/*
 * An array of n numbers as differences to the one before, called "d_KEY"; or if a double does not
 * hold one of them, as they are, called KEY.  at(ctx, i) is number i; a key has at most 30 bytes.
 */
void jsonstream_steps(struct jsonstream *json, const char *key, size_t n,
		      uint64_t (*at)(const void *ctx, size_t i), const void *ctx);
void jsonstream_cost(struct jsonstream *json, const char *key, uint64_t value, bool is_signed);
/* A plain value: "null", "true", "0.5". */
void jsonstream_word(struct jsonstream *json, const char *key, const char *word);

static inline void jsonstream_count(struct jsonstream *json, const char *key, uint64_t value)
{
	jsonstream_cost(json, key, value, false);
}

#endif
