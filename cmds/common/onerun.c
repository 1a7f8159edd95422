/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/common/onerun.h"

#include <stdbool.h>
#include <string.h>

static bool is_same_run(const struct part *a, const struct part *b)
{
	return a->has_pid && b->has_pid && a->pid == b->pid && a->cmd && b->cmd &&
	       strcmp(a->cmd, b->cmd) == 0;
}

static enum onerun compare(const struct part *a, const struct part *b)
{
	if (a->has_number && b->has_number && a->number != b->number)
		return ONERUN_PARTS;
	if (a->has_number == b->has_number && a->has_thread && b->has_thread &&
	    a->thread != b->thread)
		return ONERUN_THREADS;
	return ONERUN_NO;
}

enum onerun onerun_find(const struct model *a, const struct model *b)
{
	enum onerun found = ONERUN_NO;

	if (a->n_parts == 0 || b->n_parts == 0 ||
	    !is_same_run(&a->parts[0].header, &b->parts[0].header))
		return ONERUN_NO;
	for (size_t i = 0; i < a->n_parts; i++) {
		for (size_t j = 0; j < b->n_parts; j++) {
			enum onerun pair = compare(&a->parts[i].header, &b->parts[j].header);

			if (pair == ONERUN_NO)
				return ONERUN_NO;
			if (found != ONERUN_PARTS)
				found = pair;
		}
	}
	return found;
}
