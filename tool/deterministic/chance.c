/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/deterministic/chance.h"

#include "pub_tool_vki.h"

#include "tool/deterministic/state.h"

void chance_init(struct chance *chance, UInt seed)
{
	*chance = (struct chance){ .n_children = 0 };
	randoms_init(&chance->randoms, seed, 0);
}

void chance_fork_parent(struct chance *chance)
{
	chance->n_children++;
}

/* Not by its pid, which differs from run to run. */
void chance_fork_child(struct chance *chance)
{
	ULong seed = chance->randoms.state;

	randoms_init(&chance->randoms, seed, chance->n_children + 1ULL);
	chance->n_children = 0;
}

void chance_getrandom(ThreadId tid, const UWord *args, UWord result)
{
	(void)tid;
	randoms_fill(&tool_deterministic.chance.randoms, (void *)args[0], result);
}

void chance_read(const UWord *args, UWord result)
{
	randoms_fill(&tool_deterministic.chance.randoms, (void *)args[1], result);
}

void chance_readv(const UWord *args, UWord result)
{
	const struct vki_iovec *vector = (const struct vki_iovec *)args[1];

	for (UWord i = 0; i < args[2] && result != 0; i++) {
		SizeT len = vector[i].iov_len < result ? vector[i].iov_len : result;

		randoms_fill(&tool_deterministic.chance.randoms, vector[i].iov_base, len);
		result -= len;
	}
}
