/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/events.h"

#include <string.h>

static const struct event_info known[] = {
	{ "Ir", "Instructions executed", NULL },
	{ "Dr", "Data reads", NULL },
	{ "Dw", "Data writes", NULL },
	{ "I1mr", "L1 instruction fetch misses", NULL },
	{ "D1mr", "L1 data read misses", NULL },
	{ "D1mw", "L1 data write misses", NULL },
	{ "ILmr", "Last-level instruction fetch misses", "I2mr" },
	{ "DLmr", "Last-level data read misses", "D2mr" },
	{ "DLmw", "Last-level data write misses", "D2mw" },
	{ "ILdmr", "Last-level instruction fetch misses that write back", "I2dmr" },
	{ "DLdmr", "Last-level data read misses that write back", "D2dmr" },
	{ "DLdmw", "Last-level data write misses that write back", "D2dmw" },
	{ "Bc", "Conditional branches", NULL },
	{ "Bcm", "Conditional branches mispredicted", NULL },
	{ "Bi", "Indirect branches", NULL },
	{ "Bim", "Indirect branches mispredicted", NULL },
	{ "AcCost1", "Temporal locality, L1", NULL },
	{ "SpLoss1", "Spatial locality, L1", NULL },
	{ "AcCost2", "Temporal locality, last level", NULL },
	{ "SpLoss2", "Spatial locality, last level", NULL },
	{ "Ge", "Global bus events", NULL },
	{ "sysCount", "System calls", NULL },
	{ "sysTime", "System calls, elapsed time", NULL },
	{ "sysCpuTime", "System calls, CPU time", NULL },
	{ "Rep", "Iterations of rep instructions", NULL },
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

bool event_is_column(const char *text)
{
	const char *p = text;

	while (*p > ' ' && *p < 0x7f)
		p++;
	return p > text && *p == '\0';
}
