/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a stable run makes the same in all runs, and the words by which a user says
 * that something stays as it is.
 */
#ifndef CMDS_STABLE_STABLE_ITEMS_H
#define CMDS_STABLE_STABLE_ITEMS_H

#include <stdbool.h>
#include <stdio.h>

enum stable_item {
	STABLE_ITEM_ADDRESSES,   /* randomisation of addresses */
	STABLE_ITEM_CACHES,      /* that are simulated */
	STABLE_ITEM_CPU,         /* one processor */
	STABLE_ITEM_CWD,         /* path of the current directory */
	STABLE_ITEM_DESCRIPTORS, /* those beyond 2 */
	STABLE_ITEM_ENVIRONMENT,
	STABLE_ITEM_HOST, /* its name */
	STABLE_ITEM_INPUT,
	STABLE_ITEM_LIMITS,
	STABLE_ITEM_MACHINE, /* what the tool makes the same: --deterministic=yes */
	STABLE_ITEM_OUTPUT,  /* kind of standard output and error */
	STABLE_ITEM_PID,
	STABLE_ITEM_PROGRAM, /* its path */
	STABLE_ITEM_SIGNALS,
	STABLE_ITEM_THREADS, /* their turns */
	STABLE_ITEM_UMASK,
	STABLE_ITEM_USER,
	N_STABLE_ITEMS,
};

/* By enum stable_item: the word for --keep, and what a stable run does about it. */
extern const struct stable_item_text {
	const char *word;
	const char *given;
} stable_item_texts[N_STABLE_ITEMS];

/* A set of items. */
typedef unsigned stable_items;

static inline bool stable_items_have(stable_items set, enum stable_item item)
{
	return (set >> item & 1) != 0;
}

static inline stable_items stable_item_bit(enum stable_item item)
{
	return 1U << item;
}

/* Adds those of "A,B" to a set; false if a word is none of them. */
bool stable_items_add(stable_items *set, const char *list);

/* What --keep expects, and what it does, for messages and help. */
extern const char stable_items_form[];
extern const char stable_items_help[];

#endif
