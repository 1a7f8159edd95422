/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles of tests/profiles, read and written: the models are equal, and what
 * costgrind itself wrote comes out byte for byte.
 */
#include <dirent.h>
#include <stdlib.h>

#include "tests/common/model_fixture.h"

enum { MIN_PROFILES = 30 };

/* Fills path with a profile's; false if it does not fit. */
static bool path_of(const char *name, char *path, size_t size)
{
	const char *top = getenv("top_srcdir");

	return (size_t)snprintf(path, size, "%s/tests/profiles/%s", top ? top : ".", name) < size;
}

static char *contents_of(const char *path, size_t *len)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(1, 1 << 20);

	*len = file && text ? fread(text, 1, (1 << 20) - 1, file) : 0;
	if (file)
		fclose(file);
	return text;
}

/* Calls check for each of the profiles that begin with a prefix; returns how many there are. */
static size_t for_each(const char *prefix, void (*check)(const char *path))
{
	char folder[4096], path[4096];
	struct dirent **entries;
	size_t n = 0;
	int count;

	if (!CHECK(path_of("", folder, sizeof(folder))))
		return 0;
	count = scandir(folder, &entries, NULL, alphasort);
	if (!CHECK(count > 0))
		return 0;
	for (int i = 0; i < count; i++) {
		if (entries[i]->d_name[0] != '.' &&
		    strncmp(entries[i]->d_name, prefix, strlen(prefix)) == 0 &&
		    CHECK(path_of(entries[i]->d_name, path, sizeof(path)))) {
			check(path);
			n++;
		}
		free(entries[i]);
	}
	free(entries);
	return n;
}

static bool read_model(struct model *model, const char *path, bool separate_parts)
{
	const struct builder_options options = { .separate_parts = separate_parts };
	struct profile_error error;
	char line[PROFILE_ERROR_LINE];

	model_init(model);
	if (model_read(model, path, NULL, &options, NULL, &error) == PROFILE_OK)
		return true;
	profile_error_line(&error, line, sizeof(line));
	CHECK_STR(line, "");
	return false;
}

/* A model of what was written of a model is equal to it. */
static void check_written(const struct model *model, enum walk_order order, const char *path)
{
	const struct builder_options options = { .separate_parts = model->separate_parts };
	struct model again;
	struct test_env t;

	test_env_init(&t);
	emitted(model, order, &t);
	model_init(&again);
	CHECK_EQ_U64((uint64_t)add_text(&again, t.text, &options), PROFILE_OK);
	if (!CHECK_EQUAL_MODELS(model, &again))
		printf("# %s\n", path);
	model_release(&again);
	CHECK(test_env_release(&t));
}

static void check_models(const char *path)
{
	for (int separate = 0; separate < 2; separate++) {
		struct model model;

		if (read_model(&model, path, separate)) {
			check_written(&model, WALK_AS_READ, path);
			check_written(&model, WALK_BY_NAME, path);
		}
		model_release(&model);
	}
}

TEST(models_are_equal)
{
	CHECK(for_each("", check_models) >= MIN_PROFILES);
}

/* Straight from the reader to the writer, into t. */
static void rewrite(const char *path, const struct writer_options *options, struct test_env *t)
{
	struct emitter emitter;

	emitter_init(&emitter, &t->env, options);
	CHECK_EQ_U64((uint64_t)reader_read(path, NULL, &emitter.visitor, NULL, NULL), PROFILE_OK);
	CHECK_EQ_U64((uint64_t)emitter_finish(&emitter), 0);
	emitter_release(&emitter);
}

/* Writing what was written changes nothing more. */
static void check_fixed_point(const char *path)
{
	const struct writer_options options = { .compress_names = true,
						.compress_positions = true };
	struct test_env once, twice;
	struct emitter emitter;

	test_env_init(&once);
	test_env_init(&twice);
	rewrite(path, &options, &once);
	emitter_init(&emitter, &twice.env, &options);
	CHECK_EQ_U64((uint64_t)read_profile(&(struct reader_text){ once.text, once.len, path },
					    NULL, &emitter.visitor, NULL, NULL),
		     PROFILE_OK);
	CHECK_EQ_U64((uint64_t)emitter_finish(&emitter), 0);
	emitter_release(&emitter);
	if (!CHECK_STR(twice.text, once.text))
		printf("# %s\n", path);
	CHECK(test_env_release(&once));
	CHECK(test_env_release(&twice));
}

TEST(writing_is_a_fixed_point)
{
	for_each("", check_fixed_point);
}

static void check_own(const char *path)
{
	const struct writer_options options = {
		.compress_names = strstr(path, "uncompressed") == NULL,
		.compress_positions = true,
	};
	struct test_env t;
	size_t len;
	char *text = contents_of(path, &len);

	test_env_init(&t);
	rewrite(path, &options, &t);
	if (!CHECK_STR(t.text, text))
		printf("# %s\n", path);
	CHECK(test_env_release(&t));
	free(text);
}

TEST(own_profiles_stay_as_they_are)
{
	CHECK_EQ_U64(for_each("costgrind-", check_own), 7);
}

/* So they do by way of a model, told by name. */
static void check_own_model(const char *path)
{
	struct model model;
	struct test_env t;
	size_t len;
	char *text = contents_of(path, &len);

	test_env_init(&t);
	if (!strstr(path, "uncompressed") && read_model(&model, path, false)) {
		if (!CHECK_STR(emitted(&model, WALK_BY_NAME, &t), text))
			printf("# %s\n", path);
		model_release(&model);
	}
	CHECK(test_env_release(&t));
	free(text);
}

TEST(models_of_own_profiles_do_too)
{
	for_each("costgrind-", check_own_model);
}

/* What a file says it adds up to is what was added up. */
static void check_totals(const char *path)
{
	struct model model;

	if (read_model(&model, path, true))
		for (size_t i = 0; i < model.n_parts; i++) {
			const struct model_part *part = &model.parts[i];
			const uint64_t *said = part->totals ? part->totals : part->summary;

			for (size_t j = 0; said && j < part->n; j++)
				if (!CHECK_EQ_U64(part->sums[j], said[j]))
					printf("# %s, part %zu, event %zu\n", path, i, j);
		}
	model_release(&model);
}

TEST(totals_are_what_is_said)
{
	for_each("", check_totals);
}

/* A model less itself is nothing. */
static void check_difference(const char *path)
{
	struct model model, same;

	if (read_model(&model, path, false) && read_model(&same, path, false)) {
		uint64_t totals[PROFILE_MAX_EVENTS];

		CHECK_EQ_U64((uint64_t)model_add(&model, &same, -1), PROFILE_OK);
		CHECK(model_totals(&model, totals));
		for (size_t i = 0; i < model.n_events; i++)
			CHECK_EQ_U64(totals[i], 0);
		model_release(&same);
	}
	model_release(&model);
}

TEST(differences_to_oneself_are_nothing)
{
	for_each("", check_difference);
}

/* A disk that is full after each number of bytes. */
TEST(full_disks)
{
	static const char text[] = "# callgrind format\ncreator: me\ndesc: a: b\nevents: Ir Dr\n"
				   "ob=o\nfl=a.c\nfn=f\n1 2 3\ncfi=b.c\ncfn=g\ncalls=1 5\n1 7\n"
				   "fl=b.c\nfn=g\n5 7\ntotals: 9 3\n";
	const struct writer_options options = { .compress_names = true };
	struct model model;
	size_t len = 1000;

	model_of(&model, text);
	for (size_t size = 0; size < len; size++) {
		struct emitter emitter;
		struct test_env t;
		int status;

		test_env_init(&t);
		t.disk_size = size;
		emitter_init(&emitter, &t.env, &options);
		status = model_walk(&model, NULL, &emitter.visitor);
		if (!status && emitter_finish(&emitter) == 0)
			len = size;
		emitter_release(&emitter);
		CHECK(t.failed == (size < len));
		CHECK(test_env_release(&t));
		test_env_init(&t);
		t.disk_size = size;
		status = canon_write(&model, &t.env);
		CHECK_EQ_U64((uint64_t)status, t.failed ? PROFILE_IO : PROFILE_OK);
		CHECK(test_env_release(&t));
	}
	CHECK(len > 100 && len < 1000);
	model_release(&model);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(models_are_equal),
		CHECK_TEST(writing_is_a_fixed_point),
		CHECK_TEST(own_profiles_stay_as_they_are),
		CHECK_TEST(models_of_own_profiles_do_too),
		CHECK_TEST(totals_are_what_is_said),
		CHECK_TEST(differences_to_oneself_are_nothing),
		CHECK_TEST(full_disks),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
