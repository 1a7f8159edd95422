/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/deterministic/random_source.h"

#include "pub_tool_vki.h"

#include "tool/deterministic/state.h"

void random_source_init(struct random_source *random_source, UInt seed)
{
	*random_source = (struct random_source){ .n_children = 0 };
	splitmix_init(&random_source->splitmix, seed, 0);
}

void random_source_fork_parent(struct random_source *random_source)
{
	random_source->n_children++;
}

/* Not by its pid, which differs from run to run. */
void random_source_fork_child(struct random_source *random_source)
{
	ULong seed = random_source->splitmix.state;

	splitmix_init(&random_source->splitmix, seed, random_source->n_children + 1ULL);
	random_source->n_children = 0;
}

void random_source_getrandom(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	splitmix_fill(&tool_deterministic.random_source.splitmix, (void *)args[0], result);
}

void random_source_read(const UWord *args, UWord result)
{
	splitmix_fill(&tool_deterministic.random_source.splitmix, (void *)args[1], result);
}

void random_source_readv(const UWord *args, UWord result)
{
	const struct vki_iovec *vector = (const struct vki_iovec *)args[1];

	for (UWord i = 0; i < args[2] && result != 0; i++) {
		SizeT len = vector[i].iov_len < result ? vector[i].iov_len : result;

		splitmix_fill(&tool_deterministic.random_source.splitmix, vector[i].iov_base, len);
		result -= len;
	}
}
