/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each allocation fails once, one after the other: what was begun ends with
 * PROFILE_NO_MEMORY, and gives back all that it has taken.
 */
#include "tests/common/model_fixture.h"

/* Has something of everything, and more functions and names than first tables hold. */
static char text[32 * 1024];

static void make_text(void)
{
	size_t len = (size_t)snprintf(
		text, sizeof(text),
		"# callgrind format\ncreator: me\ncmd: ./a\npid: 1\ndesc: a: b\ndesc: c: d\n"
		"event: S = Ir + Dr : Sum\nevent: Ir : Instr\npositions: instr line\n"
		"events: Ir Dr\nsummary: 9 9\nob=(1) ./o\nfl=(1) ./a//b.c\nfn=(1) f\n");

	for (int i = 0; i < 70; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"0x%x %d %d 1\ncfi=(%d) c%d.h\ncfn=(%d) g%d\n"
					"calls=1 0x10 5\n* * 7\njump=1 0x20 7\n* *\n",
					0x1000 - i, i, i, i + 2, i, i + 2, i);
	for (int i = 0; i < 70; i++)
		len += (size_t)snprintf(
			text + len, sizeof(text) - len,
			"fl=(%d)\nfn=(%d)\n0x20 3 1\nfn=(1000000000000%d) h%d\n0 1 2\n", i + 2,
			i + 2, i, i);
	snprintf(text + len, sizeof(text) - len,
		 "fn=(1)\n0x900 1 -1\nfi=(2)\n0x1000 1 3\ntotals: 1 1\n"
		 "part: 2\nevents: Dr Xr\nfn=(1)\n1 1 1\n");
}

static struct profile_error last_error;

static int read_into(struct model *model, const struct env *env)
{
	if (!model_init(model, env))
		return PROFILE_NO_MEMORY;
	return add_text(model, text, NULL);
}

static int run_reading(struct test_env *t)
{
	const struct visitor nobody = { 0 };
	const struct reader_options options = { .env = &t->env };

	return read_profile(&(struct reader_text){ text, strlen(text), "text" }, &options, &nobody,
			    NULL, &last_error);
}

static int run_building(struct test_env *t)
{
	struct model model;
	int status = read_into(&model, &t->env);

	model_release(&model);
	return status;
}

/* Only what comes after the model is made of memory that fails. */
static struct model whole;

static int run_walking(struct test_env *t)
{
	const struct walk_options options = { .order = WALK_BY_NAME };
	const struct visitor nobody = { 0 };
	const struct env *env = whole.env;
	int status;

	whole.env = &t->env;
	status = model_walk(&whole, &options, &nobody);
	whole.env = env;
	return status;
}

static int run_emitting(struct test_env *t)
{
	const struct writer_options options = { .compress_names = true };
	struct emitter emitter;
	int status;

	emitter_init(&emitter, &t->env, &options);
	status = model_walk(&whole, NULL, &emitter.visitor);
	if (!status)
		status = emitter_finish(&emitter) == 0 ? PROFILE_OK : PROFILE_NO_MEMORY;
	emitter_release(&emitter);
	return status;
}

static int run_inclusive(struct test_env *t)
{
	struct inclusive inclusive;
	const struct env *env = whole.env;
	int status;

	whole.env = &t->env;
	status = inclusive_compute(&inclusive, &whole, NULL);
	inclusive_release(&inclusive);
	whole.env = env;
	return status;
}

static int run_adding(struct test_env *t)
{
	struct model sum;
	int status = model_init(&sum, &t->env) ? PROFILE_OK : PROFILE_NO_MEMORY;

	if (!status)
		status = model_add(&sum, &whole, -3);
	model_release(&sum);
	return status;
}

static int run_canon(struct test_env *t)
{
	return canon_write(&whole, &t->env);
}

/* Runs it with the first allocation failing, then the second, until none fails. */
static void fail_each(int (*run)(struct test_env *t), size_t least)
{
	size_t fail_alloc = 0;
	int status = PROFILE_NO_MEMORY;

	while (status != PROFILE_OK) {
		struct test_env t;
		bool reached;

		test_env_init(&t);
		t.fail_alloc = ++fail_alloc;
		status = run(&t);
		reached = t.n_allocs >= fail_alloc;
		if (!CHECK(status == (reached ? PROFILE_NO_MEMORY : PROFILE_OK)))
			printf("# allocation %zu of it fails: status %d\n", fail_alloc, status);
		if (!CHECK(test_env_release(&t)) || fail_alloc > 10000)
			return;
	}
	if (!CHECK(fail_alloc > least))
		printf("# only %zu allocations\n", fail_alloc - 1);
}

TEST(a_reader)
{
	fail_each(run_reading, 20);
}

TEST(reading_says_so)
{
	struct test_env t;

	test_env_init(&t);
	t.fail_alloc = 12;
	CHECK_EQ_U64((uint64_t)run_reading(&t), PROFILE_NO_MEMORY);
	CHECK_STR(last_error.text, "out of memory");
	CHECK(test_env_release(&t));
}

TEST(building)
{
	fail_each(run_building, 50);
}

TEST(a_walk)
{
	fail_each(run_walking, 8);
}

TEST(emitting)
{
	fail_each(run_emitting, 5);
}

TEST(inclusive_costs)
{
	fail_each(run_inclusive, 10);
}

TEST(adding)
{
	fail_each(run_adding, 30);
}

TEST(canon)
{
	fail_each(run_canon, 1);
}

/* A disk that is full after each number of bytes. */
TEST(full_disks)
{
	struct test_env t;
	size_t len;

	test_env_init(&t);
	CHECK_EQ_U64((uint64_t)run_emitting(&t), PROFILE_OK);
	len = t.len;
	CHECK(test_env_release(&t));
	for (size_t size = 0; size < len; size += 97) {
		test_env_init(&t);
		t.disk_size = size;
		CHECK(run_emitting(&t) != PROFILE_OK);
		CHECK(test_env_release(&t));
		test_env_init(&t);
		t.disk_size = size;
		CHECK_EQ_U64((uint64_t)run_canon(&t), PROFILE_IO);
		CHECK(test_env_release(&t));
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(a_reader), CHECK_TEST(reading_says_so), CHECK_TEST(building),
		CHECK_TEST(a_walk),   CHECK_TEST(emitting),        CHECK_TEST(inclusive_costs),
		CHECK_TEST(adding),   CHECK_TEST(canon),           CHECK_TEST(full_disks),
	};
	int failures;

	make_text();
	if (read_into(&whole, &heap_env) != PROFILE_OK)
		return 1;
	failures = check_run(tests, sizeof(tests) / sizeof(tests[0]));
	model_release(&whole);
	return failures;
}
