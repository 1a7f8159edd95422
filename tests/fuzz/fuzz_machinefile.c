/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is a machine's text.  An error is in it and has words; a machine that is taken has what
 * the header promises, and is the same when its lines are written again from what was read.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/machines/machinefile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_error(const struct machinefile_error *error, const char *text, size_t len)
{
	char message[MACHINEFILE_MESSAGE_SIZE];

	require(error->line >= 1 && error->column >= 1);
	require((size_t)error->found.offset + error->found.len <= len);
	require(error->expected[0] != '\0' && strlen(error->expected) < sizeof(error->expected));
	machinefile_explain(error, text, message, sizeof(message));
	for (const char *c = message; *c != '\0'; c++)
		require(*c >= ' ' && *c <= '~');
}

static void check_machine(const struct machinefile *file)
{
	struct cache_config cache, above = { .geometry.size = 0 };
	struct policy policy;
	const bool is_host = machinefile_find(file, MACHINE_CACHES) != NULL;

	require(file->name[0] != '\0');
	for (unsigned kind = MACHINE_L1I; kind <= MACHINE_L4; kind++) {
		if (!machinefile_cache(file, kind, &policy, &cache)) {
			require(is_host || kind > MACHINE_L2);
			continue;
		}
		require(!is_host && cache.geometry.size % ((uint64_t)cache.geometry.assoc *
							   cache.geometry.line_size) ==
					    0);
		if (kind <= MACHINE_L1D)
			require(geometry_check(&cache.geometry) == GEOMETRY_OK);
		if (kind >= MACHINE_L2 && cache.inclusion != INCLUSION_VICTIM)
			require(cache.geometry.size >= above.geometry.size);
		above = cache;
	}
}

/* Its lines, with names where they are needed. */
static size_t write_again(const struct machinefile *file, char *text, size_t size)
{
	size_t len = (size_t)snprintf(text, size, "machine %s\n", file->name);

	for (size_t i = 0; i < file->n_items; i++) {
		const struct machinefile_item *item = &file->items[i];
		const struct machinefile_row *row = &machinefile_rows[item->kind];

		len += (size_t)snprintf(text + len, size - len, "%s", row->keyword);
		for (unsigned f = 0; f < row->n_fields; f++) {
			if ((item->given & 1U << f) == 0)
				continue;
			len += (size_t)snprintf(text + len, size - len, " %s%s%.*s%s",
						row->fields[f].is_named ? row->fields[f].name : "",
						row->fields[f].is_named ? "=" : "",
						(int)item->words[f].len,
						file->text + item->words[f].offset,
						(item->assumed & 1U << f) != 0 ? " assumed" : "");
		}
		len += (size_t)snprintf(text + len, size - len, "\n");
	}
	return len;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct machinefile file, again;
	static char text[2 * MACHINEFILE_MAX_SIZE];
	struct machinefile_error error;
	/* A copy of just this size: reads past its end are found. */
	char *copy = malloc(size + (size == 0));

	require(copy != NULL);
	if (size > 0)
		memcpy(copy, data, size);
	if (!machinefile_parse(&file, copy, size, &error)) {
		check_error(&error, copy, size);
		free(copy);
		return 0;
	}
	check_machine(&file);
	size_t len = write_again(&file, text, sizeof(text));

	require(machinefile_parse(&again, text, len, &error));
	require(again.n_items == file.n_items && strcmp(again.name, file.name) == 0);
	for (size_t i = 0; i < file.n_items; i++) {
		const struct machinefile_item *a = &file.items[i], *b = &again.items[i];

		require(a->kind == b->kind && a->given == b->given && a->assumed == b->assumed);
		require(memcmp(a->values, b->values, sizeof(a->values)) == 0);
	}
	free(copy);
	return 0;
}
