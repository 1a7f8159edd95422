/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of data/cores, in the programs: neither has to find files.  The list is made at build time, by
 * scripts/embed-texts; each text is a table (sim/core/instructiontable.h), whose name is that of its file, and of the
 * machine that has such cores (sim/machines/presets.h).
 */
#ifndef SIM_CORE_CORETABLES_H
#define SIM_CORE_CORETABLES_H

#include <stddef.h>

struct core_table {
	const char *name;
	const char *text; /* of len bytes, no NUL behind them */
	size_t len;
};

/* In the order of their names, as bytes. */
extern const struct core_table core_tables[];
extern const size_t n_core_tables;

/* The table of a name, NUL-terminated; NULL if there is none. */
static inline const struct core_table *core_table_find(const char *name)
{
	for (size_t i = 0; i < n_core_tables; i++) {
		const char *a = name, *b = core_tables[i].name;

		while (*a != '\0' && *a == *b) {
			a++;
			b++;
		}
		if (*a == *b)
			return &core_tables[i];
	}
	return NULL;
}

#endif
