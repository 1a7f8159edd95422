/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the names of objects say that stand for blocks (docs/FORMAT.md, "Data profile"): by which calls these were
 * allocated, and how large they are: "make_node list.c:34 < list list.c:66 < main list.c:298, 64 B".
 */
#ifndef CMDS_DATA_OBJECTNAME_H
#define CMDS_DATA_OBJECTNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/common/bytes.h"

struct object_size {
	bool is_known;
	bool is_of_elements;  /* of an array: least and most are the element's */
	uint64_t least, most; /* bytes */
};

/* What is said of the size; *chain is the length of what is said before it, the calls. */
struct object_size objectname_size(const char *name, size_t len, size_t *chain);

/*
 * Appends what stays the same when sources change: the functions of the calls, without files, lines and size, "make_node < list
 * < main".  A name without calls is appended as it is.
 */
void objectname_add_chain(struct bytes *text, const char *name, size_t len);

#endif
