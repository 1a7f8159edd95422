/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input is a preprocessed file of webgrind.  If it is one, what is written of
 * the model can be read again.  The last two bits of the first byte are the version.
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

/* Reads a file into an empty model. */
static int read_file(struct model *model, const char *data, size_t len)
{
	const struct reader_text text = { data, len, "file" };
	struct profile_error error;
	struct builder builder;
	int status;

	builder_init(&builder, model, NULL);
	builder_begin_file(&builder, "file", model->names);
	status = from_webgrind_text(&text, model->names, &builder.visitor, &error);
	require(status == PROFILE_OK || status == PROFILE_SYNTAX || status == PROFILE_RANGE);
	require(status == (int)error.status);
	require(status == PROFILE_OK || error.text[0] != '\0');
	if (status == PROFILE_OK)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}

static void write_and_read(const struct model *model, unsigned version)
{
	struct test_env t;
	struct conversion conversion = { .env = &t.env, .model = model, .variant = 4 + version };
	struct model again;
	int status;

	test_env_init(&t);
	status = to_webgrind(&conversion);
	if (status == PROFILE_OK) {
		model_init(&again);
		require(read_file(&again, t.text, t.len) == PROFILE_OK);
		/* Of a file without functions, there is one. */
		require(again.n_functions == model->n_functions || model->n_functions == 0);
		model_release(&again);
	} else {
		require(status == PROFILE_RANGE);
	}
	require(test_env_release(&t));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned version = size > 0 ? data[0] & 3 : 0;
	struct model model;

	model_init(&model);
	if (read_file(&model, (const char *)data, size) == PROFILE_OK)
		write_and_read(&model, version);
	model_release(&model);
	return 0;
}
