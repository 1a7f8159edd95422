/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machines of data/machines, in the programs: neither has to find files.  The table is made at
 * build time, by scripts/embed-texts; each text is a machine (sim/machines/machinefile.h), whose
 * name is that of its file.
 */
#ifndef SIM_MACHINES_PRESETS_H
#define SIM_MACHINES_PRESETS_H

#include <stddef.h>

struct machine_preset {
	const char *name;
	const char *text; /* of len bytes, no NUL behind them */
	size_t len;
};

/* In the order of their names, as bytes. */
extern const struct machine_preset machine_presets[];
extern const size_t n_machine_presets;

/* The preset of a name, NUL-terminated; NULL if there is none. */
static inline const struct machine_preset *machine_preset_find(const char *name)
{
	for (size_t i = 0; i < n_machine_presets; i++) {
		const char *a = name, *b = machine_presets[i].name;

		while (*a != '\0' && *a == *b) {
			a++;
			b++;
		}
		if (*a == *b)
			return &machine_presets[i];
	}
	return NULL;
}

#endif
