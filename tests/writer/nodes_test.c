/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * writer/body, call trees: the example of docs/FORMAT.md, byte for byte, and what is
 * refused.
 *
 *	nodes_test [TOP_SRCDIR]
 */
#include "writer/writer.h"

#include "tests/common/check.h"
#include "tests/writer/writer_fixture.h"

enum {
	DOC_SIZE = 1 << 20,
	NOT_NAMED = 100,
};

static const char *top_srcdir;

/* The lines of the document between ``` and ``` that begin with this one; the caller frees. */
static char *example(const char *first_line)
{
	char path[4096];
	char *text = calloc(1, DOC_SIZE), *from, *to;
	FILE *file;

	if (!text)
		abort();
	snprintf(path, sizeof(path), "%s/docs/FORMAT.md", top_srcdir);
	file = fopen(path, "rb");
	if (CHECK(file != NULL)) {
		CHECK(fread(text, 1, DOC_SIZE - 1, file) > 0);
		fclose(file);
	}
	from = strstr(text, first_line);
	to = from ? strstr(from, "```\n") : NULL;
	if (!CHECK(to != NULL)) {
		free(text);
		return NULL;
	}
	*to = '\0';
	memmove(text, from, strlen(from) + 1);
	return text;
}

static struct name named(const char *text, uint32_t key)
{
	return (struct name){ text, strlen(text), key };
}

static void node(struct writer *w, uint32_t depth, uint32_t key, uint64_t calls,
		 const uint64_t *costs)
{
	const struct name function = named("", key);

	nodes_write(w, depth, &function, calls, costs);
}

static void header(struct writer *w, const uint64_t *totals)
{
	static const char *const args[] = { "./sum", "--file", "a", "b", "two\nlines" };

	nodes_format(w);
	writer_version(w);
	writer_creator(w, "costgrind-0.1");
	writer_pid(w, 24275);
	writer_cmd(w, args, 4);
	writer_desc(w, "Trigger", "Program termination");
	events(w, "Ir", "I1mr", "ILmr");
	writer_summary(w, totals);
	writer_blank(w);
}

static const struct nodes_function sum_main = {
	.object = { "/home/ann/sum", 13, 4 },
	.file = { "/home/ann/sum.c", 15, 5 },
	.name = { "main", 4, 6 },
};

TEST(example_of_the_document)
{
	static const uint64_t totals[] = { 192, 6, 2 };
	struct recording s;
	struct writer *w = begin(&s, &compressed);
	struct nodes_function function = sum_main;
	char *want = example("# costgrind call tree\n");

	header(w, totals);
	nodes_section(w, "thread", 1);
	nodes_function(w, &function);
	node(w, 0, 6, 1, (const uint64_t[]){ 20, 2, 1 });
	function.name = named("add", 9);
	function.same_object = function.same_file = true;
	nodes_function(w, &function);
	node(w, 1, 9, 3, (const uint64_t[]){ 30, 1, 0 });
	function = (struct nodes_function){ named("/usr/lib/libm.so.6", 0), named("", 7),
					    named("sqrt", 1), false, false };
	nodes_function(w, &function);
	node(w, 2, 1, 6, (const uint64_t[]){ 50, 3, 1 });
	node(w, 1, 1, 1, (const uint64_t[]){ 9, 0, 0 });
	nodes_write(w, 1, NULL, 4, (const uint64_t[]){ 80, 0, 0 });
	nodes_section(w, "handlers", 1);
	function = sum_main;
	function.name = named("on_alarm", 2);
	nodes_function(w, &function);
	node(w, 0, 2, 1, (const uint64_t[]){ 3, 0, 0 });
	writer_blank(w);
	writer_totals(w, totals);
	end(&s, want ? want : "");
	free(want);
}

TEST(a_node_without_costs_has_none)
{
	static const uint64_t nothing[] = { 0, 0, 0 };
	struct recording s;
	struct writer *w = begin(&s, &compressed);

	events(w, "Ir", "Dr", "Dw");
	nodes_section(w, "thread", 7);
	nodes_write(w, 0, NULL, 0, nothing);
	nodes_write(w, UINT32_MAX, NULL, UINT64_MAX, (const uint64_t[]){ 0, 0, UINT64_MAX });
	end(&s, "events: Ir Dr Dw\nthread: 7\n0 0 0\n"
		"4294967295 0 18446744073709551615 0 0 18446744073709551615\n");
}

static void misused(struct recording *s)
{
	CHECK(writer_finish(&s->writer) == OUT_MISUSE);
	writer_release(&s->writer);
	CHECK(test_env_release(&s->env));
}

TEST(nodes_out_of_order_are_refused)
{
	static const uint64_t one = 1;
	struct recording s;
	struct writer *w = begin(&s, &compressed);

	nodes_section(w, "thread", 1); /* before the events */
	misused(&s);

	w = begin(&s, &compressed);
	writer_version(w);
	nodes_format(w); /* not at the start */
	misused(&s);

	w = begin(&s, &compressed);
	events(w, "Ir", NULL, NULL);
	node(w, 0, NOT_NAMED, 1, &one);
	misused(&s);

	w = begin(&s, &compressed);
	events(w, "Ir", NULL, NULL);
	nodes_function(w, &sum_main);
	nodes_function(w, &sum_main); /* named twice */
	misused(&s);

	w = begin(&s, &compressed);
	events(w, "Ir", NULL, NULL);
	writer_totals(w, &one);
	nodes_write(w, 0, NULL, 1, &one); /* past the end */
	misused(&s);
}

int main(int argc, char **argv)
{
	static const struct check_test tests[] = {
		CHECK_TEST(example_of_the_document),
		CHECK_TEST(a_node_without_costs_has_none),
		CHECK_TEST(nodes_out_of_order_are_refused),
	};

	top_srcdir = argc > 1 ? argv[1] : getenv("top_srcdir");
	if (!top_srcdir)
		top_srcdir = ".";
	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
