/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/jobrank.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/message.h"
#include "writer/rank.h"

static const char *lookup(const char *name)
{
	return VG_(getenv)(name);
}

const HChar *jobrank_expand(const HChar *arg, const HChar *name)
{
	HChar number[RANK_LIST_SIZE], *expanded;
	struct rank rank;

	if (!rank_is_in(name))
		return name;
	rank_find(&rank, lookup);
	if (rank.variable == NULL)
		message_fatal("%s: expected " RANK_VARIABLE_NAMES, arg);
	if (!rank.is_number)
		message_fatal("%s: %s is '%s', expected a number from 0 to %d", arg, rank.variable,
			      rank.text, RANK_MAX);
	rank_list(number, rank.number, rank.number);
	expanded = VG_(malloc)("costgrind.name", rank_expand(NULL, name, number) + 1);
	rank_expand(expanded, name, number);
	return expanded;
}

void jobrank_describe(struct descs *descs, const struct descs *users)
{
	HChar text[RANK_LIST_SIZE];
	struct rank rank;

	rank_find(&rank, lookup);
	if (!rank.is_number)
		return;
	if (!descs_have(users, RANK_DESC)) {
		rank_list(text, rank.number, rank.number);
		descs_add(descs, RANK_DESC, text);
	}
	if (rank.n > 0 && !descs_have(users, RANK_EXPECTED_DESC)) {
		rank_list(text, rank.first, rank.first + rank.n - 1);
		descs_add(descs, RANK_EXPECTED_DESC, text);
	}
}
