/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state and options of this room: who called whom, and which costs are collected. */
#ifndef TOOL_CALLS_STATE_H
#define TOOL_CALLS_STATE_H

#include "pub_tool_basics.h"
#include "pub_tool_hashtable.h"

#include "tool/calls/arc.h"
#include "tool/calls/callhook.h"
#include "tool/calls/calls.h"
#include "tool/calls/calltree.h"
#include "tool/calls/collection.h"
#include "tool/calls/region.h"
#include "tool/calls/systime.h"
#include "tool/calls/thread.h"

/* Is anything counted at the start? */
enum instr_atstart {
	INSTR_NO,
	INSTR_YES,
	INSTR_INHERIT, /* as in the program that executed this one in its place; if none, no */
};

struct calls_options {
	enum instr_atstart instr_atstart;
	Bool stack_seed; /* tool/calls/calls.h */
	Bool collect_atstart;
	const HChar *collect_region; /* a pattern, or NULL */
	enum region_start region_start;
	enum systime_unit collect_systime;
	Bool syscall_calls; /* system calls are called functions */
	Bool separate_threads;
	Bool skip_direct_rec;
};

struct calls_state {
	struct calls_options options;
	struct arcs arcs;
	struct shortcut_table *shortcuts; /* calls.c */
	struct threads threads;
	struct calltree tree; /* only with --call-tree=yes */
	struct hooks hooks;
	struct call_hooks call_hooks;
	struct regions regions;
	struct systime systime;
	struct known_call *known_calls;         /* interpreted.c */
	VgHashTable *entry_units;               /* struct entry_unit by address */
	Bool instrumenting;                     /* else code is translated as it is */
	Bool has_instrumented;                  /* by now, in this process */
	Bool was_off;                           /* instrumentation, since costs were zero */
	Bool has_switched_on;                   /* collection, that had been off */
	enum collection_order collection_order; /* the last one */
};

extern struct calls_state tool_calls;

#endif
