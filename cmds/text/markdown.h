/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Markdown as GitHub and GitLab take it. */
#ifndef CMDS_TEXT_MARKDOWN_H
#define CMDS_TEXT_MARKDOWN_H

#include <stddef.h>
#include <stdio.h>

/*
 * Prints len bytes so that they stay what they are: no markup, no HTML, no mention of
 * a user, one line, fit for a cell of a table.
 */
void markdown_text(FILE *out, const char *text, size_t len);
void markdown_string(FILE *out, const char *text);

/* Prints len bytes as code, as safe, and easier to read unrendered; nothing if there are none. */
void markdown_code(FILE *out, const char *text, size_t len);

/* Prints lines, the last one with its line feed, as a block of code. */
void markdown_block(FILE *out, const char *text, size_t len);

#endif
