/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/eventhelp.h"

#include <stdio.h>

#include "cmds/annotate/metric.h"
#include "profile/common/events.h"

/* Sentences to the names of profile/common/events.c; an event without one has its long name only. */
static const struct {
	const char *name, *text;
} texts[] = {
	{ "Ir",
	  "Instructions executed; a rep instruction is one, whatever its iterations (below)." },
	{ "Dr", "Instructions' reads of memory; reading and writing one place is one read." },
	{ "Dw", "Instructions' writes to memory." },
	{ "I1mr", "Instructions fetched that the first-level instruction cache did not have." },
	{ "D1mr", "Reads that the first-level data cache did not have." },
	{ "D1mw", "Writes that the first-level data cache did not have." },
	{ "ILmr", "Instructions fetched that the last-level cache did not have either." },
	{ "DLmr", "Reads that the last-level cache did not have either." },
	{ "DLmw", "Writes that the last-level cache did not have either." },
	{ "ILdmr", "Of ILmr, those that pushed out a changed line, to be written back." },
	{ "DLdmr", "Of DLmr, those that pushed out a changed line, to be written back." },
	{ "DLdmw", "Of DLmw, those that pushed out a changed line, to be written back." },
	{ "Bc", "Conditional branches executed." },
	{ "Bcm", "Of Bc, those whose direction was predicted wrongly." },
	{ "Bi", "Indirect jumps and calls executed, to addresses that are computed." },
	{ "Bim", "Of Bi, those whose target was predicted wrongly." },
	{ "AcCost1",
	  "Of the lines brought into a first level: 1000 / accesses to each, summed up." },
	{ "SpLoss1", "Of the lines brought into a first level: bytes that were never used." },
	{ "AcCost2",
	  "Of the lines brought into the last level: 1000 / accesses to each, summed up." },
	{ "SpLoss2", "Of the lines brought into the last level: bytes that were never used." },
	{ "Ge", "Instructions that lock the bus." },
	{ "sysCount", "System calls." },
	{ "sysTime",
	  "Time that system calls took, on the clock; the unit is the recording tool's." },
	{ "sysCpuTime", "CPU time that system calls took, in nanoseconds." },
	{ "Rep",
	  "Iterations of rep instructions, which are not in Ir; none with --counting=valgrind." },
};

/* As in column.h. */
static const struct {
	const char *name, *text;
} derived[] = {
	{ "L1m", "I1mr + D1mr + D1mw: misses of the first level." },
	{ "LLm", "ILmr + DLmr + DLmw: misses of the last level." },
	{ "Bm", "Bcm + Bim: branches predicted wrongly." },
	{ "L1hit", "Ir + Dr + Dw - L1m: references that the first level served." },
	{ "LLhit", "L1m - LLm: references that the last level served." },
	{ "RAMhit", "LLm: references that memory served." },
	{ "EstCyc",
	  "L1hit + 5 LLhit + 35 RAMhit: an estimate of cycles; --cycles sets the weights." },
};

static const char *text_of(const struct event_info *info)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].name[0] == info->name[0] && event_find(texts[i].name) == info)
			return texts[i].text;
	return info->long_name;
}

void eventhelp_print(void)
{
	const char *label, *part, *whole;
	size_t n;
	const struct event_info *all = event_all(&n);

	printf("Events that are recorded:\n\n");
	for (size_t i = 0; i < n; i++) {
		printf("  %-11s %s", all[i].name, text_of(&all[i]));
		if (all[i].old_name)
			printf(" (Once %s.)", all[i].old_name);
		putchar('\n');
	}
	printf("\nA rep instruction (rep movsb, say) goes round until a register has counted down to 0.\n"
	       "It is one Ir, as for the processor, and each iteration is one Rep. With\n"
	       "--counting=valgrind, and in profiles of Callgrind and Cachegrind, each iteration is one\n"
	       "Ir with its branches, and so is finding the register at 0; there is no Rep.\n"
	       "\nAn instruction that reads and writes one place is a read; with --modify=write, and in\n"
	       "profiles of Callgrind, a write.\n");
	printf("\nColumns that annotate derives from them, for --show and --sort:\n\n");
	for (size_t i = 0; i < sizeof(derived) / sizeof(derived[0]); i++)
		printf("  %-11s %s\n", derived[i].name, derived[i].text);
	printf("\nFormulas in a profile (\"event: name = formula\") are columns too.\n"
	       "\nRates of the whole run:\n\n");
	for (size_t i = 0; metric_explain(i, &label, &part, &whole); i++) {
		if (whole == NULL)
			continue;
		printf("  %-16s (%s) / (%s)\n", label, part, whole);
	}
	printf("\nMPKI is per 1000 instructions, a miss rate in percent. The miss rate of the last\n"
	       "level is of all references, not of those that the first level missed.\n"
	       "\nIn tables, a dot is a count that cannot be: misses of reads where nothing is\n"
	       "read, say; 0 is one that could have been, but was not.\n"
	       "\nInclusive costs are those of a function and all that it calls. Functions that\n"
	       "call each other in a circle are a cycle: of each, calls within it are left out.\n");
}
