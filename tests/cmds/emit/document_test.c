/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One document, printed by each back end; and JSON in both styles. */
#include <math.h>
#include <stdlib.h>

#include "tests/common/check.h"

#include "cmds/emit/document.h"

static const char *const fields[] = { "record", "event", "old", "new", "change", "name", "calls" };

/* Two rows: the second name is hostile, and longer in bytes than in characters. */
static void put_rows(struct document *document, void *ctx)
{
	static const char *const events[] = { "Ir", "Dr" };
	static const int128 old_values[] = { 1000, 5 }, new_values[] = { 1500, 5 };
	const size_t *n = ctx;

	for (size_t i = 0; i < *n; i++) {
		document_cell(document, cell_string(i == 0 ? "f,g" : "\x1b|\xc3\xa4\"`"));
		document_cell(document, i == 0 ? cell_count(12345) : cell_none);
		document_cell(document, cell_pairs((struct cell_pairs){ 2, events, old_values,
									new_values, NULL }));
		document_cell(document, cell_count(1000 * (int128)(i + 1)));
		document_cell(document, cell_change(500 - 1000 * (int128)i));
		document_cell(document, cell_percent(500, 1000));
		document_cell(document, cell_string(i == 0 ? "f" : "\x1b|\xc3\xa4`"));
	}
}

static void put_all(struct document *document, size_t n)
{
	static const struct document_column columns[] = {
		{ .key = "name", .field = "name" },
		{ .key = "calls", .inside = "counts", .field = "calls" },
		{ .key = "self", .inside = "counts", .record = "self" },
		{ .title = "Ir" },
		{ .title = "change", .is_left = true },
		{ .title = "%" },
		{ .title = "name" },
	};
	const struct document_table table = {
		.key = "rows",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.put_rows = put_rows,
		.ctx = &n,
	};

	document_value(document, "n", cell_count((int128)n));
	document_heading(document, "Rows", ": %zu", n);
	document_table(document, &table);
	document_list(document, "words", true);
	document_value(document, NULL, cell_string("a"));
	document_value(document, NULL, cell_string(NULL));
	document_value(document, NULL, cell_number(0.5, 2));
	document_value(document, NULL, cell_bool(true));
	document_close(document);
	document_prose(document, "%s ", "end");
	document_name(document, "a`b");
}

/* What a format makes of it; to be freed. */
static char *print(const char *format, size_t n)
{
	struct document document;
	size_t len;
	char *text = NULL;
	FILE *out = open_memstream(&text, &len);

	document_begin(&document, document_backend(format), out, fields,
		       sizeof(fields) / sizeof(fields[0]), 0);
	put_all(&document, n);
	document_end(&document);
	fclose(out);
	return text;
}

static void check(const char *format, size_t n, const char *wanted)
{
	char *text = print(format, n);

	CHECK_STR(text, wanted);
	free(text);
}

TEST(text_is_aligned)
{
	check("text", 2,
	      "\n-- Rows: 2\n"
	      "   Ir  change        %  name\n"
	      "1,000  +500    +50.00%  f\n"
	      "2,000  -500    +50.00%  \\x1b|\xc3\xa4`\n"
	      "end a`b");
}

TEST(markdown_is_escaped)
{
	check("markdown", 2,
	      "\n**Rows**: 2\n\n"
	      "| Ir | change | % | name |\n"
	      "|--:|---|--:|---|\n"
	      "| 1,000 | +500 | +50.00% | `f` |\n"
	      "| 2,000 | -500 | +50.00% | `` \\x1b\\|\xc3\xa4` `` |\n"
	      "end ``a`b``");
}

/* A row for each pair, and nothing else. */
TEST(csv_has_pairs)
{
	check("csv", 2,
	      "record,event,old,new,change,name,calls\n"
	      "self,Ir,1000,1500,500,\"f,g\",12345\n"
	      "self,Dr,5,5,0,\"f,g\",12345\n"
	      "self,Ir,1000,1500,500,\"\\x1b|\xc3\xa4\"\"`\",\n"
	      "self,Dr,5,5,0,\"\\x1b|\xc3\xa4\"\"`\",\n");
}

TEST(json_has_objects)
{
	check("json", 1,
	      "{\n"
	      "  \"n\": 1,\n"
	      "  \"rows\": [\n"
	      "    {\"name\": \"f,g\", \"counts\": {\"calls\": 12345, \"self\": "
	      "{\"Ir\": {\"old\": 1000, \"new\": 1500}, \"Dr\": {\"old\": 5, \"new\": 5}}}}\n"
	      "  ],\n"
	      "  \"words\": [\"a\", null, 0.50, true]\n"
	      "}\n");
}

/* People are not shown titles of nothing; programs get an empty table. */
TEST(tables_without_rows)
{
	check("text", 0, "\n-- Rows: 0\nend a`b");
	check("markdown", 0, "\n**Rows**: 0\nend ``a`b``");
	check("csv", 0, "record,event,old,new,change,name,calls\n");
	check("json", 0,
	      "{\n  \"n\": 0,\n  \"rows\": [],\n  \"words\": [\"a\", null, 0.50, true]\n}\n");
}

TEST(backends_by_name)
{
	CHECK(document_backend("text") == &document_text);
	CHECK(document_backend("csv") == &document_csv);
	CHECK(document_backend("xml") == NULL);
}

/* Rows with rows in them, and counts, one of them impossible; an event is named like a field. */
static void put_nested(struct document *document)
{
	static const struct document_column outer_columns[] = {
		{ .key = "name", .field = "name" },
		{ .key = "counts", .is_counts = true },
		{ .key = "percents" },
	};
	static const struct document_table outer = {
		.key = "functions",
		.record = "function",
		.columns = outer_columns,
		.n = 3,
		.is_open = true,
		.is_indented = true,
	};
	static const struct document_column inner_columns[] = { { .key = "n", .field = "n" } };
	static const struct document_table inner = {
		.key = "lines",
		.record = "line",
		.columns = inner_columns,
		.n = 1,
	};
	static const int128 values[] = { 0, 7 }, totals[] = { 0, 14 };
	static const bool can_happen[] = { false, true };
	const struct cell_counts counts = {
		.n = 2, .values = values, .totals = totals, .can_happen = can_happen
	};

	document_begin_rows(document, &outer);
	document_cell(document, cell_string("f"));
	document_cell(document, cell_counts(counts));
	document_cell(document, cell_shares(counts));
	document_begin_rows(document, &inner);
	document_cell(document, cell_count(3));
	document_cell(document, cell_number(NAN, 1));
	document_end_rows(document);
	document_end_row(document);
	document_cell(document, cell_string("g"));
	document_cell(document, cell_none);
	document_cell(document, cell_none);
	document_end_row(document);
	document_end_rows(document);
}

static void check_put(void (*put)(struct document *document), const char *format,
		      const char *wanted)
{
	static const char *const names[] = { "record", "name", "n", "Ir", "name" };
	struct document document;
	size_t len;
	char *text = NULL;
	FILE *out = open_memstream(&text, &len);

	document_begin(&document, document_backend(format), out, names, 5, 2);
	put(&document);
	document_end(&document);
	fclose(out);
	CHECK_STR(text, wanted);
	free(text);
}

TEST(rows_in_rows)
{
	check_put(put_nested, "csv",
		  "record,name,n,Ir,name\n"
		  "function,f,,,7\n"
		  "line,,3,,\n"
		  "line,,,,\n"
		  "function,g,,,\n");
	check_put(put_nested, "json",
		  "{\n"
		  "  \"functions\": [\n"
		  "    {\n"
		  "      \"name\": \"f\",\n"
		  "      \"counts\": [null, 7],\n"
		  "      \"percents\": [null, 50.0000],\n"
		  "      \"lines\": [\n"
		  "        {\"n\": 3},\n"
		  "        {\"n\": null}\n"
		  "      ]\n"
		  "    },\n"
		  "    {\n"
		  "      \"name\": \"g\"\n"
		  "    }\n"
		  "  ]\n"
		  "}\n");
	check_put(put_nested, "text", "");
	check_put(put_nested, "markdown", "");
}

/* Rows of parts: the widest one is not shown, and the last one has none. */
static void put_parts_rows(struct document *document, void *ctx)
{
	struct cell part = cell_part(7, 14);

	(void)ctx;
	document_cell(document, cell_part(1000, 0));
	document_cell(document, cell_count(1000));
	document_drop_row(document);
	document_cell(document, (struct cell){ .kind = CELL_NEVER });
	document_cell(document, part);
	document_begin_cell(document);
	document_prose(document, "<");
	document_styled(document, STYLE_STRONG, "f*", 2);
	document_styled(document, STYLE_TABS, "\t", 1);
	document_end_cell(document);
	document_across(document, "-- %d --", 2);
	part.count.has_sum = true;
	part.count.sum = 14;
	document_cell(document, cell_part(0, 0));
	document_cell(document, part);
	document_cell(document, cell_string("g"));
	document_cell(document, cell_none);
	document_cell(document, cell_none);
	document_cell(document, cell_string("h"));
}

static void put_counted(struct document *document, enum document_form form)
{
	static const struct document_column columns[] = {
		{ .title = "Ir", .is_parts = true },
		{ .title = "name", .is_parts = true },
		{ .title = "a:b", .is_left = true },
	};
	const struct document_table table = {
		.columns = columns,
		.n = 3,
		.put_rows = put_parts_rows,
		.form = form,
	};

	document_table(document, &table);
}

static void put_ruled(struct document *document)
{
	document_use_color(document);
	put_counted(document, FORM_RULED);
}

static void put_part(struct document *document)
{
	document_section(document, 1, "Of ", "a*");
	document_part(document, PART_TITLE);
	document_words(document, "x*");
	document_part(document, PART_CONTENT);
	put_counted(document, FORM_LISTING);
	document_part(document, PART_END);
}

#define RULE                                                                        \
 "--------------------------------------------------------------------------------" \
 "\n"
#define COUNTED_TITLES "Ir          name                   a:b"
#define COUNTED_ROWS                          \
 "    .           7 (50.00%)         <f*\t\n" \
 "-- 2 --\n"                                  \
 "    0           7 (50.0%, 100.0%)  g\n"     \
 "                                   h\n"

TEST(parts_have_percentages)
{
	check_put(put_ruled, "text", RULE "\x1b[1m" COUNTED_TITLES "\x1b[0m\n" RULE COUNTED_ROWS);
	check_put(put_ruled, "markdown",
		  "| Ir | name | a:b |\n"
		  "| ---: | ---: | :--- |\n"
		  "| . | 7 (50.00 %) | <**f\\***\\x09 |\n"
		  "| 0 | 7 (50.00 %) | `g` |\n"
		  "|  |  | `h` |\n");
	check_put(put_ruled, "csv", "record,name,n,Ir,name\n");
	check_put(put_ruled, "json", "{}\n");
}

TEST(listings_are_text)
{
	check_put(put_part, "text", RULE "-- x*\n" RULE COUNTED_TITLES "\n\n" COUNTED_ROWS "\n");
	check_put(put_part, "markdown",
		  "## Of a\\*\n\n<details><summary>x\\*</summary>\n\n```text\n" COUNTED_TITLES
		  "\n\n" COUNTED_ROWS "\n```\n\n</details>\n");
}

/* -- a view ------------------------------------------------------------------------------- */

static struct cell part_of(void *ctx, const void *costs, size_t metric)
{
	(void)ctx;
	return cell_part(((const int128 *)costs)[metric], 10);
}

static struct cell all_of(void *ctx, const void *costs)
{
	(void)ctx;
	return cell_counts((struct cell_counts){ .n = 2, .values = costs });
}

static const int128 view_costs[][2] = { { 7, 10 }, { 3, 0 }, { 1, 1 } };

static void put_view_row(struct document *document, void *ctx, size_t row)
{
	static const char *const names[] = { "f", "g", "h" };

	(void)ctx;
	document_costs(document, view_costs[row]);
	document_cell(document, cell_count((int128)row));
	document_begin_words(document, cell_string(names[row]));
	document_name(document, names[row]);
	document_prose(document, "()");
	document_end_words(document);
	document_cell(document, cell_count(40 + (int128)row));
}

static bool is_view_row_shown(void *ctx, size_t row)
{
	(void)ctx;
	return row != 1;
}

static void put_view_rest(struct document *document, void *ctx)
{
	(void)ctx;
	document_costs(document, view_costs[1]);
	document_cell(document, cell_none);
	document_begin_words(document, cell_none);
	document_prose(document, "(1 other)");
	document_end_words(document);
	document_cell(document, cell_none);
}

static void put_view_notes(struct document *document, void *ctx)
{
	(void)ctx;
	document_prose(document, "Note.\n");
}

/* A view in the view: one row. */
static void put_detail_row(struct document *document, void *ctx, size_t row)
{
	(void)row;
	document_costs(document, view_costs[*(size_t *)ctx]);
	document_cell(document, cell_string("x"));
}

static void put_view_details(struct document *document, void *ctx, size_t row)
{
	static const struct document_column columns[] = {
		{ .key = "counts", .is_counts = true },
		{ .title = "member", .key = "member", .field = "n" },
	};
	const struct document_view view = {
		.table = { .key = "members", .record = "member", .columns = columns, .n = 2 },
		.n_rows = 1,
		.put_row = put_detail_row,
		.ctx = &row,
	};

	(void)ctx;
	document_prose(document, "Of %zu:\n", row);
	document_view(document, &view);
	document_value(document, "even", cell_bool(row % 2 == 0));
}

static void put_view(struct document *document)
{
	static const struct document_column metrics[] = {
		{ .title = "Ir", .is_parts = true },
		{ .title = "Dr", .is_parts = true },
	};
	static const struct document_column columns[] = {
		{ .title = "#" },
		{ .title = "name", .key = "name", .field = "name" },
		{ .key = "line", .field = "n" },
		{ .key = "counts", .is_counts = true },
	};
	static const struct document_view view = {
		.table = { .key = "rows", .record = "row", .columns = columns, .n = 4 },
		.n_rows = 3,
		.put_row = put_view_row,
		.is_shown = is_view_row_shown,
		.put_rest = put_view_rest,
		.put_notes = put_view_notes,
		.put_details = put_view_details,
	};
	const struct document_costs costs = { metrics, 2, part_of, all_of, NULL };

	document_use_costs(document, &costs);
	document_view(document, &view);
}

TEST(views_are_declared_once)
{
	check_put(put_view, "text",
		  "Ir          Dr           #  name\n"
		  "7 (70.00%)  10 (100.0%)  0  f()\n"
		  "1 (10.00%)   1 (10.00%)  2  h()\n"
		  "3 (30.00%)   0              (1 other)\n"
		  "Note.\n"
		  "Of 0:\n"
		  "Ir          Dr           member\n"
		  "7 (70.00%)  10 (100.0%)  x\n"
		  "Of 2:\n"
		  "Ir          Dr          member\n"
		  "1 (10.00%)  1 (10.00%)  x\n");
	check_put(put_view, "csv",
		  "record,name,n,Ir,name\n"
		  "row,f,40,7,10\n"
		  "member,,x,7,10\n"
		  "row,g,41,3,0\n"
		  "member,,x,3,0\n"
		  "row,h,42,1,1\n"
		  "member,,x,1,1\n");
	check_put(put_view, "json",
		  "{\n"
		  "  \"rows\": [\n"
		  "    {\"name\": \"f\", \"line\": 40, \"counts\": [7, 10], \"members\": ["
		  "{\"counts\": [7, 10], \"member\": \"x\"}], \"even\": true},\n"
		  "    {\"name\": \"g\", \"line\": 41, \"counts\": [3, 0], \"members\": ["
		  "{\"counts\": [3, 0], \"member\": \"x\"}], \"even\": false},\n"
		  "    {\"name\": \"h\", \"line\": 42, \"counts\": [1, 1], \"members\": ["
		  "{\"counts\": [1, 1], \"member\": \"x\"}], \"even\": true}\n"
		  "  ]\n"
		  "}\n");
}

static int write_text(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : 1;
}

static void *alloc(void *ctx, size_t size)
{
	(void)ctx;
	return malloc(size);
}

static void release(void *ctx, void *memory)
{
	(void)ctx;
	free(memory);
}

/* What a double does not hold exactly is a text there; bytes that are no UTF-8 stay different. */
TEST(compact_json)
{
	struct json json;
	size_t len;
	char *text = NULL;
	FILE *stream = open_memstream(&text, &len);
	const struct env env = { alloc, release, write_text, stream };
	struct out out;

	out_init(&out, &env);
	json_init(&json, &out, JSON_COMPACT);
	json_object(&json, NULL, false);
	json_count(&json, "exact", (UINT64_C(1) << 53) - 1);
	json_count(&json, "large", UINT64_C(1) << 53);
	json_cost(&json, "below", (uint64_t)INT64_MIN, true);
	json_array(&json, "texts", false);
	json_text(&json, NULL, "\xff\"\n", 3);
	json_word(&json, NULL, "-1");
	json_close(&json);
	json_close(&json);
	json_end(&json);
	CHECK(out_flush(&out) == 0);
	out_release(&out);
	fclose(stream);
	CHECK_STR(text, "{\"exact\":9007199254740991,\"large\":\"9007199254740992\","
			"\"below\":\"-9223372036854775808\","
			"\"texts\":[\"\\\\xff\\\"\\u000a\",-1]}");
	free(text);
}

/* -- lines that fit -------------------------------------------------------------------------- */

#define TEN     "abcdefghij"
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static void put_wide_rows(struct document *document, void *ctx)
{
	(void)ctx;
	document_cell(document, cell_string("first<std::vector<int>, std::allocator<int>>"));
	document_cell(document, cell_count(1234567));
	document_cell(document, cell_string(HUNDRED));
	document_cell(document, cell_string("f"));
	document_cell(document, cell_count(1));
	document_cell(document, cell_string("short"));
}

static void put_code_rows(struct document *document, void *ctx)
{
	(void)ctx;
	document_cell(document, cell_count(1));
	document_begin_cell(document);
	document_styled(document, STYLE_TABS, "\tint i;", 7);
	document_end_cell(document);
	document_cell(document, cell_count(2));
	document_begin_cell(document);
	document_styled(document, STYLE_TABS, "\t" HUNDRED, 101);
	document_end_cell(document);
}

static char *fitted(size_t width, void (*put)(struct document *document))
{
	struct document document;
	size_t len;
	char *text = NULL;
	FILE *stream = open_memstream(&text, &len);

	document_begin(&document, &document_text, stream, NULL, 0, 0);
	document_fit(&document, width);
	put(&document);
	document_end(&document);
	fclose(stream);
	return text;
}

static void print_wide(struct document *document)
{
	static const struct document_column names[] = {
		{ .title = "name", .is_left = true },
		{ .title = "count" },
		{ .title = "place", .is_left = true },
	};
	static const struct document_column code[] = {
		{ .title = "n" },
		{ .title = "", .is_left = true },
	};

	document_table(document, &(struct document_table){
					 .columns = names, .n = 3, .put_rows = put_wide_rows });
	document_table(document, &(struct document_table){ .columns = code,
							   .n = 2,
							   .form = FORM_LISTING,
							   .put_rows = put_code_rows });
	document_prose(document, "  - one two three four five six seven eight nine ten\n");
	document_prose(document, "see %s\n", HUNDRED);
	document_prose(document, "%s", document_rule);
	document_words(document, "no line feed");
}

TEST(lines_fit)
{
	char *text = fitted(40, print_wide);

	CHECK_STR(text, "name              count  place\n"
			"first<...>    1,234,567  abcdefghij...defghij\n"
			"f                     1  short\n"
			"n\n\n"
			"1  \tint i;\n"
			"2          abcdefghijabcdefghijabcdef...\n"
			"  - one two three four five six seven\n"
			"    eight nine ten\n"
			"see\n"
			"abcdefghijabcdefghijab...fghijabcdefghij\n"
			"----------------------------------------\n"
			"no line feed\n");
	free(text);
}

TEST(no_line_is_longer)
{
	for (size_t width = 45; width <= 130; width++) { /* less is too little for the table */
		char *text = fitted(width, print_wide);

		for (const char *line = text; *line != '\0';) {
			size_t len = strcspn(line, "\n"), columns = 0;

			for (size_t i = 0; i < len; i++)
				columns += line[i] == '\t' ? 8 - columns % 8 : 1;
			CHECK(columns <= width);
			line += len + (line[len] == '\n');
		}
		free(text);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(text_is_aligned),     CHECK_TEST(markdown_is_escaped),
		CHECK_TEST(csv_has_pairs),       CHECK_TEST(json_has_objects),
		CHECK_TEST(tables_without_rows), CHECK_TEST(backends_by_name),
		CHECK_TEST(rows_in_rows),        CHECK_TEST(parts_have_percentages),
		CHECK_TEST(listings_are_text),   CHECK_TEST(views_are_declared_once),
		CHECK_TEST(compact_json),        CHECK_TEST(lines_fit),
		CHECK_TEST(no_line_is_longer),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
