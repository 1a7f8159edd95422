/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/events.h"

#include <string.h>

static const struct event_info known[] = {
	{ "Ir", "Instructions executed", NULL, false },
	{ "Dr", "Data reads", NULL, false },
	{ "Dw", "Data writes", NULL, false },
	{ "I1mr", "L1 instruction fetch misses", NULL, false },
	{ "D1mr", "L1 data read misses", NULL, false },
	{ "D1mw", "L1 data write misses", NULL, false },
	{ "ILmr", "Last-level instruction fetch misses", "I2mr", false },
	{ "DLmr", "Last-level data read misses", "D2mr", false },
	{ "DLmw", "Last-level data write misses", "D2mw", false },
	{ "ILdmr", "Last-level instruction fetch misses that write back", "I2dmr", false },
	{ "DLdmr", "Last-level data read misses that write back", "D2dmr", false },
	{ "DLdmw", "Last-level data write misses that write back", "D2dmw", false },
	{ "Bc", "Conditional branches", NULL, false },
	{ "Bcm", "Conditional branches mispredicted", NULL, false },
	{ "Bi", "Indirect branches", NULL, false },
	{ "Bim", "Indirect branches mispredicted", NULL, false },
	{ "AcCost1", "Temporal locality, L1", NULL, false },
	{ "SpLoss1", "Spatial locality, L1", NULL, false },
	{ "AcCost2", "Temporal locality, last level", NULL, false },
	{ "SpLoss2", "Spatial locality, last level", NULL, false },
	{ "Ge", "Global bus events", NULL, false },
	{ "sysCount", "System calls", NULL, false },
	{ "sysTime", "System calls, elapsed time", NULL, false },
	{ "sysCpuTime", "System calls, CPU time", NULL, false },
	{ "Rep", "Iterations of rep instructions", NULL, true },
};

const struct event_info *event_all(size_t *n)
{
	*n = sizeof(known) / sizeof(known[0]);
	return known;
}

const struct event_info *event_find(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(known[i].name, name) == 0 ||
		    (known[i].old_name && strcmp(known[i].old_name, name) == 0))
			return &known[i];
	return NULL;
}

const char *event_name(const char *name)
{
	const struct event_info *info = event_find(name);

	return info ? info->name : name;
}

bool event_is_of_valgrind(const char *name)
{
	const struct event_info *info = event_find(name);

	return info && !info->is_own;
}

bool event_is_column(const char *text)
{
	const char *p = text;

	while (*p > ' ' && *p < 0x7f)
		p++;
	return p > text && *p == '\0';
}
