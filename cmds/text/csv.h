/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of CSV (RFC 4180, but lines end in LF). */
#ifndef CMDS_TEXT_CSV_H
#define CMDS_TEXT_CSV_H

#include <stddef.h>
#include <stdio.h>

/*
 * Prints len bytes as a field, between quotes where it must be; control characters but
 * tabs are made visible.
 */
void csv_field(FILE *out, const char *text, size_t len);

#endif
