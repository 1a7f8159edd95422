/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile/common/definitions.h"

#include <stdlib.h>
#include <string.h>

#include "profile/common/event_names.h"
#include "profile/common/heap.h"

/* Definitions at work; lost names have no column either. */
struct keeping {
	struct definitions *definitions;
	const struct definitions_columns *columns;
	const char **lost; /* owned, n_lost of them */
};

static bool is_term(const char *name, const struct formula_term *term)
{
	return strlen(name) == term->len && memcmp(name, term->name, term->len) == 0;
}

static bool is_left_out(const struct keeping *keeping, const struct formula_term *term)
{
	const struct definitions_columns *columns = keeping->columns;

	for (size_t i = 0; i < columns->n_before; i++)
		if (is_term(columns->before[i], term))
			return !columns->stays[i];
	for (size_t i = 0; i < keeping->definitions->n_lost; i++)
		if (is_term(keeping->lost[i], term))
			return true;
	return false;
}

static bool has_left_out(const struct keeping *keeping, const char *formula)
{
	struct formula_term term;
	bool first = true;

	for (; formula_next(&formula, first, &term) == 1; first = false)
		if (is_left_out(keeping, &term))
			return true;
	return false;
}

static bool is_column(const struct definitions_columns *columns, const char *name)
{
	return event_index(columns->after, columns->n_after, name) < columns->n_after;
}

/* Again until there is none, since formulas may be of others. */
static void drop_formulas(struct keeping *keeping)
{
	struct definitions *definitions = keeping->definitions;
	size_t before;

	do {
		before = definitions->n_lost;
		for (size_t i = 0; i < definitions->n; i++) {
			struct part_event *definition = &definitions->all[i];

			if (!definition->formula || !has_left_out(keeping, definition->formula))
				continue;
			definition->formula = NULL;
			if (!is_column(keeping->columns, definition->name))
				keeping->lost[definitions->n_lost++] = definition->name;
		}
	} while (definitions->n_lost > before);
}

bool definitions_keep(struct definitions *definitions, const struct env *env,
		      const struct part_event *from, size_t n,
		      const struct definitions_columns *columns)
{
	struct keeping keeping = { definitions, columns, NULL };
	size_t kept = 0;

	(void)env;
	*definitions = (struct definitions){ .n = n };
	definitions->all = heap_array(n, sizeof(*definitions->all));
	keeping.lost = heap_array(n, sizeof(*keeping.lost));
	if (n > 0)
		memcpy(definitions->all, from, n * sizeof(*from));
	drop_formulas(&keeping);
	/* Long names of events that are not there would be of no event. */
	for (size_t i = 0; i < n; i++)
		if (definitions->all[i].formula || is_column(columns, definitions->all[i].name))
			definitions->all[kept++] = definitions->all[i];
	definitions->n = kept;
	free(keeping.lost);
	return true;
}

void definitions_release(struct definitions *definitions, const struct env *env)
{
	(void)env;
	free(definitions->all);
	*definitions = (struct definitions){ .n = 0 };
}
