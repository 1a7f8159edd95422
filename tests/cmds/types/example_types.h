/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types that tests of cmds/types/ have, made by hand. */
#ifndef TESTS_CMDS_TYPES_EXAMPLE_TYPES_H
#define TESTS_CMDS_TYPES_EXAMPLE_TYPES_H

#include "cmds/types/types.h"

/*
 *	struct point { int x, y; };
 *	struct node {			offset
 *		struct node *next;	0
 *		struct point at;	8
 *		double values[4];	16
 *		char *name;		48
 *	};				56 bytes
 *	struct text { long len; char bytes[]; };
 *	union either { long number; struct node *node; };
 */
struct example_types {
	struct typetable table;
	uint32_t of_int, of_long, of_double, of_char;
	uint32_t point, node, text, either;
	uint32_t to_node, to_char; /* pointers */
};

/* To be released by typetable_release() of the table. */
void example_types_init(struct example_types *types);

#endif
