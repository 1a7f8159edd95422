/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Webgrind's files: what is written is read again; addresses end at 32 bits; whatever is
 * wrong with a file is said.
 */
#include "cmds/convert/formats.h"

#include "tests/common/model_fixture.h"

static const char profile[] = "version: 1\ncreator: hand-1\npid: 77\ncmd: ./a\n"
			      "positions: line\nevents: Ir\n"
			      "fl=a.c\nfn=main\n1 10\n"
			      "cfn=f\ncalls=2 5\n2 8\n"
			      "cfn=g\ncalls=1 9\n3 4\n"
			      "fn=f\n5 6\ncfn=g\ncalls=3 9\n6 2\n"
			      "fn=g\n9 6\n";

enum { FIRST_VERSION = 4, N_VERSIONS = 4 };

/* Writes a model into t (initialised); returns the status. */
static int write_model(const struct model *model, size_t version, uint64_t most_address,
		       struct test_env *t, struct profile_error *error)
{
	struct conversion conversion = {
		.env = &t->env,
		.model = model,
		.variant = (unsigned)version,
		.ids = true,
		.most_address = most_address,
	};
	int status = to_webgrind(&conversion);

	CHECK(conversion.output_error == 0 || t->failed);
	*error = conversion.error;
	return status;
}

/* Reads a file into an empty model. */
static int read_file(struct model *model, const char *data, size_t len, struct profile_error *error)
{
	const struct reader_text text = { data, len, "file" };
	struct builder builder;
	int status;

	builder_init(&builder, model, NULL);
	builder_begin_file(&builder, "file", model->names);
	status = from_webgrind_text(&text, model->names, &builder.visitor, error);
	if (!status)
		status = builder_finish(&builder);
	builder_release(&builder);
	return status;
}

/* Of a file: PROFILE_OK or the status of what is wrong with it. */
static int try_file(const char *data, size_t len, struct profile_error *error)
{
	struct test_env t;
	struct model model;
	int status;

	test_env_init(&t);
	model_init(&model);
	status = read_file(&model, data, len, error);
	model_release(&model);
	CHECK(test_env_release(&t));
	return status;
}

TEST(what_is_written_is_read)
{
	struct profile_error error;
	struct model model;

	model_of(&model, profile);
	for (size_t i = 0; i < N_VERSIONS; i++) {
		struct test_env t, canon;
		struct model read;
		uint64_t totals[PROFILE_MAX_EVENTS];

		test_env_init(&t);
		test_env_init(&canon);
		CHECK_EQ_U64((uint64_t)write_model(&model, FIRST_VERSION + i, 0, &t, &error),
			     PROFILE_OK);
		model_init(&read);
		CHECK_EQ_U64((uint64_t)read_file(&read, t.text, t.len, &error), PROFILE_OK);
		CHECK(model_totals(&read, totals));
		CHECK_EQ_U64(totals[0], 22);
		CHECK_EQ_U64(read.n_functions, 3);
		CHECK_EQ_U64(read.parts[0].header.pid, 77);
		model_release(&read);
		CHECK(test_env_release(&t));
		CHECK(test_env_release(&canon));
	}
	model_release(&model);
}

/* Version 7 keeps all of this profile but where calls go to. */
TEST(version_7_keeps_lines)
{
	struct profile_error error;
	struct model model, read;
	struct model_cursor cursor;
	struct model_line line;
	struct model_call call;
	struct test_env t;

	model_of(&model, profile);
	test_env_init(&t);
	CHECK_EQ_U64((uint64_t)write_model(&model, 7, 0, &t, &error), PROFILE_OK);
	model_init(&read);
	CHECK_EQ_U64((uint64_t)read_file(&read, t.text, t.len, &error), PROFILE_OK);
	model_lines(&read, function_named(&read, "f"), 0, &cursor);
	CHECK(model_next_line(&cursor, &line));
	CHECK_EQ_U64(line.at.line, 5);
	CHECK_EQ_U64(line.costs[0], 6);
	model_calls(&read, function_named(&read, "f"), 0, &cursor);
	CHECK(model_next_call(&cursor, &call));
	CHECK_EQ_U64(call.callee, function_named(&read, "g"));
	CHECK_EQ_U64(call.at.line, 6);
	CHECK_EQ_U64(call.count, 3);
	CHECK_EQ_U64(call.costs[0], 2);
	model_release(&read);
	CHECK(test_env_release(&t));
	model_release(&model);
}

/* The headers begin at 119 + 16 * 3 or later; wherever they do, an offset below that is refused. */
TEST(addresses_have_an_end)
{
	struct profile_error error;
	struct model model;

	model_of(&model, profile);
	for (size_t i = 0; i < N_VERSIONS; i++) {
		struct test_env t, small;
		uint64_t headers;

		test_env_init(&t);
		test_env_init(&small);
		CHECK_EQ_U64((uint64_t)write_model(&model, FIRST_VERSION + i, 0, &t, &error),
			     PROFILE_OK);
		headers = (unsigned char)t.text[4] | (uint64_t)(unsigned char)t.text[5] << 8;
		CHECK_EQ_U64((uint64_t)write_model(&model, FIRST_VERSION + i, headers, &small,
						   &error),
			     PROFILE_OK);
		CHECK_EQ_U64((uint64_t)write_model(&model, FIRST_VERSION + i, headers - 1, &small,
						   &error),
			     PROFILE_RANGE);
		CHECK(strstr(error.text, "--threshold") != NULL);
		CHECK(test_env_release(&t));
		CHECK(test_env_release(&small));
	}
	model_release(&model);
}

TEST(the_message_counts_records)
{
	struct profile_error error;
	struct model model;
	struct test_env t;

	model_of(&model, profile);
	test_env_init(&t);
	/* Three functions, three calls from both ends. */
	CHECK_EQ_U64((uint64_t)write_model(&model, 7, 100, &t, &error), PROFILE_RANGE);
	CHECK_STR(error.text,
		  "--to=webgrind7: 9 functions and calls take 213 bytes, and addresses end at "
		  "4294967295: join small functions by --threshold=0.1");
	CHECK(test_env_release(&t));
	model_release(&model);
}

/* Costs beyond 32 bits are divided, counts cut off. */
TEST(large_numbers)
{
	static const char large[] = "events: Ir\nfl=a.c\nfn=main\n1 4294967295499\n"
				    "cfn=f\ncalls=5000000000 5\n2 1500\nfn=f\n5 1499\n";
	struct profile_error error;
	struct model model, read;
	struct model_cursor cursor;
	struct model_line line;
	struct model_call call;
	struct test_env t;

	model_of(&model, large);
	test_env_init(&t);
	CHECK_EQ_U64((uint64_t)write_model(&model, 7, 0, &t, &error), PROFILE_OK);
	model_init(&read);
	CHECK_EQ_U64((uint64_t)read_file(&read, t.text, t.len, &error), PROFILE_OK);
	/* With the call, main costs 4294967296999, which is 4294967297 thousands: too many. */
	CHECK_STR(read.events[0].name, "Ir_x10000");
	model_lines(&read, function_named(&read, "main"), 0, &cursor);
	CHECK(model_next_line(&cursor, &line));
	CHECK_EQ_U64(line.costs[0], 429496730); /* 429496729.5499 */
	model_calls(&read, function_named(&read, "main"), 0, &cursor);
	CHECK(model_next_call(&cursor, &call));
	CHECK_EQ_U64(call.count, UINT32_MAX);
	CHECK_EQ_U64(call.costs[0], 0); /* 0.15 */
	CHECK_EQ_U64(read.parts[0].header.n_descs, 2);
	CHECK_STR(read.parts[0].header.descs[0].type, "Costs divided by");
	CHECK_STR(read.parts[0].header.descs[0].value, "10000");
	/* From both ends, and f's invocations. */
	CHECK_STR(read.parts[0].header.descs[1].type, "Counts above 4294967295, written as that");
	CHECK_STR(read.parts[0].header.descs[1].value, "3");
	model_release(&read);
	CHECK(test_env_release(&t));
	model_release(&model);
}

/* A file that ends early, or has a wrong byte, is refused or is another one: never more. */
TEST(damaged_files)
{
	struct profile_error error;
	struct model model;
	unsigned refused = 0;

	model_of(&model, profile);
	for (size_t i = 0; i < N_VERSIONS; i++) {
		struct test_env t;
		uint64_t headers;

		test_env_init(&t);
		CHECK_EQ_U64((uint64_t)write_model(&model, FIRST_VERSION + i, 0, &t, &error),
			     PROFILE_OK);
		headers = (unsigned char)t.text[4] | (uint64_t)(unsigned char)t.text[5] << 8;
		for (size_t len = 0; len <= headers; len++) {
			CHECK_EQ_U64((uint64_t)try_file(t.text, len, &error), PROFILE_SYNTAX);
			CHECK(strstr(error.text, "expected") != NULL);
		}
		for (size_t at = 0; at < headers; at++) {
			char right = t.text[at];

			for (unsigned bit = 0; bit < 8; bit++) {
				int status;

				t.text[at] = (char)(right ^ (1 << bit));
				status = try_file(t.text, t.len, &error);
				CHECK(status == PROFILE_OK || status == PROFILE_SYNTAX);
				refused += status == PROFILE_SYNTAX;
			}
			t.text[at] = right;
		}
		CHECK(test_env_release(&t));
	}
	CHECK(refused > 1000);
	model_release(&model);
}

struct wrong {
	size_t at;
	unsigned char byte;
	const char *message;
};

/* Version 7 of the profile, with one byte changed. */
TEST(messages)
{
	static const struct wrong wrongs[] = {
		{ 0, 8, "byte 0: expected a preprocessed file of webgrind, of version 4 to 7" },
		{ 7, 1, "byte 4: expected the address of the headers" },
		{ 9, 1, "byte 8: expected a number of functions that fit" },
		{ 12, 25, "byte 12: expected the address of the next function" },
		/* f's callers, at 24: line, own, inclusive, invocations, 1 of them, 1 called. */
		{ 42, 1, "byte 44: expected a number of calls that fit" },
		{ 48, 9, "byte 48: expected the number of a function" },
		{ 52, 9, "expected callers and callees to list the same calls" },
	};
	struct profile_error error;
	struct model model;
	struct test_env t;

	model_of(&model, profile);
	test_env_init(&t);
	CHECK_EQ_U64((uint64_t)write_model(&model, 7, 0, &t, &error), PROFILE_OK);
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		char right = t.text[wrongs[i].at];

		t.text[wrongs[i].at] = (char)wrongs[i].byte;
		CHECK_EQ_U64((uint64_t)try_file(t.text, t.len, &error), PROFILE_SYNTAX);
		CHECK_STR(error.text, wrongs[i].message);
		t.text[wrongs[i].at] = right;
	}
	CHECK_EQ_U64((uint64_t)try_file("", 0, &error), PROFILE_SYNTAX);
	CHECK_STR(error.text, "byte 0: expected a preprocessed file of webgrind");
	CHECK(test_env_release(&t));
	model_release(&model);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(what_is_written_is_read),
		CHECK_TEST(version_7_keeps_lines),
		CHECK_TEST(addresses_have_an_end),
		CHECK_TEST(the_message_counts_records),
		CHECK_TEST(large_numbers),
		CHECK_TEST(damaged_files),
		CHECK_TEST(messages),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
