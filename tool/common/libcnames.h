/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What libraries that are linked into the tool need of the C library. */
#ifndef TOOL_COMMON_LIBCNAMES_H
#define TOOL_COMMON_LIBCNAMES_H

/* To be called once, before any function of theirs. */
void libcnames_init(void);

#endif
