/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The seam for the oracle: a second engine and machine, slow and plain, which the product's are checked against.  The
 * product is linked without it, so &oracle is NULL there.  The test build (make oracle) adds the files of
 * tests/oracle/ to the same object files, and takes --engine=plain, which sets tool_simulate.oracle.
 */
#ifndef TOOL_SIMULATE_ORACLE_H
#define TOOL_SIMULATE_ORACLE_H

#include "pub_tool_basics.h"

#include "sim/lower.h"

struct block;
struct engine;

struct oracle {
	const struct engine *engine; /* tool/instrument/engine.h */
	/* Makes the machine, empty; all else of tool_simulate is there, but for tool_simulate.machine. */
	void (*init)(const struct hierarchy_config *config);
	/* The machine is as init() made it. */
	void (*clear)(void);
	/* Takes lines and pages with a byte in the range out of the machine. */
	void (*evict)(struct address_range range);
	/* An execution of a block ended with a fault in the instruction at address. */
	void (*fault)(const struct block *block, Addr address);
	/* For prefetchers: struct prefetch_caches (sim/prefetch/prefetchers.h), and the levels after D1. */
	bool (*has)(void *ctx, unsigned level, uint64_t line);
	unsigned (*bring)(void *ctx, unsigned level, uint64_t line);
	const struct lower_levels *(*lower_levels)(void);
};

extern const struct oracle oracle __attribute__((weak));

#endif
