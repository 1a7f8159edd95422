/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A predictor in memory of its own, for tests. */
#ifndef TESTS_SIM_BRANCHES_PREDICTOR_FIXTURE_H
#define TESTS_SIM_BRANCHES_PREDICTOR_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "sim/branches/predictor.h"

static const struct predictor_config small_config = {
	.tage = &tage_8k,
	.ittage = &ittage_8k,
	.n_returns = 16,
	.n_targets = 64,
};

static const struct predictor_config large_config = {
	.tage = &tage_64k,
	.ittage = &ittage_64k,
	.n_returns = 32,
	.n_targets = 8192,
};

/* To be given to free(). */
static inline struct predictor *predictor_new(const struct predictor_config *config)
{
	const size_t size = (predictor_size(config) + 63) & ~(size_t)63;
	struct predictor *made = aligned_alloc(64, size);

	if (made == NULL)
		abort();
	memset(made, 0, size);
	predictor_init(made, config);
	return made;
}

#endif
