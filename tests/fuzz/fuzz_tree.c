/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is a call tree.  If it is one, tree and profile cost the same, and what
 * webgrind's version 4 has of it can be read again.
 */
#include "cmds/convert/formats.h"

#include <stdint.h>
#include <stdlib.h>

#include "profile/model/build.h"
#include "tests/common/test_env.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void write_and_read(const struct model *model, struct pathtree *tree)
{
	struct test_env t;
	struct conversion conversion = { .env = &t.env, .model = model, .variant = 4, .tree = tree };
	struct profile_error error;
	struct builder builder;
	struct model again;
	int status;

	test_env_init(&t);
	status = to_webgrind(&conversion);
	require(status == PROFILE_OK || status == PROFILE_RANGE);
	model_init(&again);
	if (status == PROFILE_OK) {
		const struct reader_text text = { t.text, t.len, "file" };

		builder_init(&builder, &again, NULL);
		builder_begin_file(&builder, "file", again.names);
		require(from_webgrind_text(&text, again.names, &builder.visitor, &error) ==
			PROFILE_OK);
		builder_release(&builder);
	}
	model_release(&again);
	require(test_env_release(&t));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct reader_text text = { (const char *)data, size, "tree" };
	const struct from_tree_options all = { .event = NULL };
	struct profile_error error;
	struct pathtree tree;
	struct model model;
	int status;

	model_init(&model);
	status = from_tree_text(&text, &all, &model, &tree, &error);
	require(status == PROFILE_OK || status == PROFILE_SYNTAX || status == PROFILE_RANGE);
	require(status == (int)error.status);
	if (status == PROFILE_OK) {
		uint64_t totals[PROFILE_MAX_EVENTS], sum = 0;

		require(model_totals(&model, totals));
		for (size_t i = 0; i < tree.n; i++)
			sum += pathtree_costs(&tree, (uint32_t)i)[0];
		require(sum == totals[0]);
		write_and_read(&model, &tree);
	}
	pathtree_release(&tree);
	model_release(&model);
	return 0;
}
