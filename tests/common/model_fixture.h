/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of models share: models of texts, and what is in them as text. */
#ifndef TESTS_COMMON_MODEL_FIXTURE_H
#define TESTS_COMMON_MODEL_FIXTURE_H

#include "profile/analysis/inclusive.h"
#include "profile/common/heap.h"
#include "profile/format/emit.h"
#include "profile/model/build.h"
#include "profile/model/model.h"

#include "tests/common/check.h"
#include "tests/common/models.h"
#include "tests/common/test_env.h"

/* Adds a text to a model; returns the status. */
static inline int add_text(struct model *model, const char *text,
			   const struct builder_options *options)
{
	const struct reader_options of_reader = { .names = model->names };
	struct builder builder;
	int status;

	builder_init(&builder, model, options);
	builder_begin_file(&builder, "text", model->names);
	status = read_profile(&(struct reader_text){ text, strlen(text), "text" }, &of_reader,
			      &builder.visitor, NULL, NULL);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}

/* A model of a text that is a profile. */
static inline void model_of(struct model *model, const char *text)
{
	model_init(model);
	CHECK_EQ_U64((uint64_t)add_text(model, text, NULL), PROFILE_OK);
}

/* The number of the function of this name, of whatever file and object; or of none. */
static inline uint32_t function_named(const struct model *model, const char *name)
{
	for (size_t i = 0; i < model->n_functions; i++)
		if (strcmp(model_name(model, NAME_FUNCTION, model->functions[i].name).text, name) ==
		    0)
			return (uint32_t)i;
	return MODEL_NO_FUNCTION;
}

/* The canonical text of a model, into t (initialised). */
static inline const char *canon_of(const struct model *model, struct test_env *t)
{
	CHECK_EQ_U64((uint64_t)canon_write(model, &t->env), PROFILE_OK);
	return t->text;
}

/* Two models say the same. */
static inline bool check_equal_models(const struct model *a, const struct model *b,
				      const char *what, const char *file, int line)
{
	struct test_env left, right;
	bool equal;

	test_env_init(&left);
	test_env_init(&right);
	equal = check_str(canon_of(a, &left), canon_of(b, &right), what, file, line);
	CHECK(test_env_release(&left));
	CHECK(test_env_release(&right));
	return equal;
}

#define CHECK_EQUAL_MODELS(a, b) check_equal_models((a), (b), #a " and " #b, __FILE__, __LINE__)

/* Writes a model, into t. */
static inline const char *emitted(const struct model *model, enum walk_order order,
				  struct test_env *t)
{
	const struct writer_options writing = { .compress_names = true,
						.compress_positions = true };
	const struct walk_options of_walk = { .order = order };
	struct emitter emitter;

	emitter_init(&emitter, &t->env, &writing);
	CHECK_EQ_U64((uint64_t)model_walk(model, &of_walk, &emitter.visitor), PROFILE_OK);
	CHECK_EQ_U64((uint64_t)emitter_finish(&emitter), 0);
	emitter_release(&emitter);
	return t->text;
}

#endif
