/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * annotate --by=rank: of each function, what it cost a rank on average and at most, by one metric.  A
 * rank without the function had 0.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/annotate/annotate.h"
#include "profile/common/desc.h"
#include "profile/common/heap.h"

struct balance_row {
	uint32_t function; /* MODEL_NO_FUNCTION: the whole program */
	int128 mean;       /* rounded to the nearest number, halves up */
	int128 max;
	double balance; /* max / mean; not a number if the sum is not above 0 */
	uint32_t rank;  /* the first one that has max */
	bool is_even;   /* all have */
};

/* Memory is an arena's. */
struct rankbalance {
	const struct model *model;
	struct columns columns; /* the metric is the first sort key */
	const char *ranks;      /* "0-3,7" */
	size_t n_ranks;
	struct balance_row *rows; /* the program, then functions that matter, by max - mean */
	size_t n, n_left;         /* rows; functions that are left out */
};

/* -- ranks ----------------------------------------------------------------------------------- */

/* The number of ranks before one that is in the set. */
static uint32_t index_of(const struct rank_set *ranks, uint32_t rank)
{
	uint32_t n = 0;
	size_t i = 0;

	for (; ranks->ranges[i].last < rank; i++)
		n += ranks->ranges[i].last - ranks->ranges[i].first + 1;
	return n + rank - ranks->ranges[i].first;
}

/* The rank of an index. */
static uint32_t rank_at(const struct rank_set *ranks, uint32_t index)
{
	size_t i = 0;

	for (; index > ranks->ranges[i].last - ranks->ranges[i].first; i++)
		index -= ranks->ranges[i].last - ranks->ranges[i].first + 1;
	return ranks->ranges[i].first + index;
}

/* The index of each part's rank, in ascending order, an array of the arena's; NULL: *wrong says why. */
static const uint32_t *find_ranks(struct rank_set *ranks, const struct model *model,
				  struct arena *arena, const char **wrong)
{
	uint32_t *of_parts = arena_alloc(arena, model->n_parts * sizeof(*of_parts), 4);

	for (size_t i = 0; i < model->n_parts; i++) {
		const struct part *header = &model->parts[i].header;
		const char *file = model->parts[i].file ? model->parts[i].file : "???";
		const char *rank = NULL;
		struct profile_error error;
		char *end = NULL;

		for (size_t j = header->n_descs; j-- > 0;)
			if (strcmp(header->descs[j].type, "Rank") == 0 &&
			    rank_set_is_list(header->descs[j].value))
				rank = header->descs[j].value;
		of_parts[i] = rank ? (uint32_t)strtoul(rank, &end, 10) : 0;
		if (!rank)
			profile_error_set(
				&error, PROFILE_SYNTAX,
				"%.200s: expected profiles of ranks (desc: Rank: N), found no rank",
				file);
		else if (*end != '\0')
			profile_error_set(
				&error, PROFILE_SYNTAX,
				"%.200s: expected profiles of one rank each, found ranks %.80s added "
				"up (costgrind merge --as=threads keeps them apart)",
				file, rank);
		if (!rank || *end != '\0') {
			*wrong = arena_copy(arena, error.text, strlen(error.text));
			return NULL;
		}
		rank_set_add(ranks, of_parts[i], of_parts[i]);
	}
	for (size_t i = 0; i < model->n_parts; i++)
		of_parts[i] = index_of(ranks, of_parts[i]);
	return of_parts;
}

/* -- rows ------------------------------------------------------------------------------------ */

static const struct metric *metric_of(const struct rankbalance *balance)
{
	return &balance->columns.metrics.all[balance->columns.keys[0].metric];
}

/* A row, by what n ranks had. */
static struct balance_row make_row(uint32_t function, const struct rank_set *ranks,
				   const int128 *values, uint32_t n)
{
	struct balance_row row = { .function = function, .is_even = true };
	int128 sum = 0;
	uint32_t greatest = 0;

	for (uint32_t i = 0; i < n; i++) {
		sum += values[i];
		row.is_even &= values[i] == values[0];
		if (values[i] > values[greatest])
			greatest = i;
	}
	row.max = values[greatest];
	row.rank = rank_at(ranks, greatest);
	row.mean = (2 * sum + (int128)n) / (2 * (int128)n);
	row.balance = sum > 0 ? (double)row.max * n / (double)sum : (double)NAN;
	return row;
}

/* Most to be gained first, then the larger, then the function that was read first. */
static int compare_rows(const void *a, const void *b)
{
	const struct balance_row *left = a, *right = b;
	const int128 of_left = left->max - left->mean, of_right = right->max - right->mean;

	if (of_left != of_right)
		return of_left > of_right ? -1 : 1;
	if (left->max != right->max)
		return left->max > right->max ? -1 : 1;
	return left->function < right->function ? -1 : left->function > right->function;
}

static void make_rows(struct rankbalance *balance, const struct rank_set *ranks,
		      const uint32_t *rank_of_part, const struct column_choice *choice, size_t most,
		      struct arena *arena)
{
	const struct model *model = balance->model;
	const size_t n_functions = model->n_functions;
	uint64_t costs[PROFILE_MAX_EVENTS];
	const uint32_t n = (uint32_t)balance->n_ranks;
	int128 *values = arena_alloc(arena, n * sizeof(*values), 16);
	int128 *totals = arena_alloc(arena, n * sizeof(*totals), 16);
	struct balance_row *rows = arena_alloc(arena, (n_functions + 1) * sizeof(*rows), 16);
	size_t kept = 1;

	memset(totals, 0, n * sizeof(*totals));
	for (uint32_t i = 0; i < n_functions; i++) {
		memset(values, 0, n * sizeof(*values));
		for (uint32_t part = 0; part < model->n_parts; part++) {
			int128 value;

			if (!model_has(model, i, part))
				continue;
			model_self(model, i, part, costs);
			value = metric_value(metric_of(balance), costs, model->is_signed);
			values[rank_of_part[part]] += value;
			totals[rank_of_part[part]] += value;
		}
		rows[i + 1] = make_row(i, ranks, values, n);
	}
	rows[0] = make_row(MODEL_NO_FUNCTION, ranks, totals, n);
	qsort(rows + 1, n_functions, sizeof(*rows), compare_rows);
	for (size_t i = 1; i <= n_functions; i++) {
		const struct balance_row row = rows[i];
		bool matters = most > 0 ? kept <= most
					: (double)row.max * 100 >=
						  choice->threshold * (double)rows[0].max;

		if (row.max > 0 && matters)
			rows[kept++] = row;
		else if (row.max > 0)
			balance->n_left++;
	}
	balance->rows = rows;
	balance->n = kept;
}

const struct rankbalance *rankbalance_make(const struct model *model,
					   const struct column_choice *choice, size_t most,
					   struct arena *arena, const char **wrong, bool *is_usage)
{
	struct rankbalance *balance = arena_alloc(arena, sizeof(*balance), 16);
	const uint32_t *rank_of_part;
	struct rank_set ranks;
	struct bytes text;

	*balance = (struct rankbalance){ .model = model };
	rank_set_init(&ranks);
	bytes_init(&text);
	rank_of_part = find_ranks(&ranks, model, arena, wrong);
	*is_usage = rank_of_part != NULL;
	if (rank_of_part)
		*wrong = columns_init(&balance->columns, model, choice, arena);
	if (rank_of_part && !*wrong) {
		rank_set_print(&ranks, &text);
		balance->ranks = arena_copy(arena, text.text, text.len);
		balance->n_ranks = rank_set_count(&ranks);
		make_rows(balance, &ranks, rank_of_part, choice, most, arena);
	}
	bytes_release(&text);
	rank_set_release(&ranks);
	return balance;
}

/* -- document -------------------------------------------------------------------------------- */

static struct cell count_cell(const struct rankbalance *balance, int128 value)
{
	return cell_decimal(cell_count(value), metric_of(balance)->decimals);
}

static void put_names(struct document *document, const struct model *model,
		      const struct model_function *function)
{
	const struct name name = model_name(model, NAME_FUNCTION, function->name);
	const struct name file = model_name(model, NAME_FILE, function->file);
	const struct name object = model_name(model, NAME_OBJECT, function->object);
	bool has_object = function->object != DICTIONARY_UNKNOWN;

	document_begin_words(document, render_name(name));
	document_styled(document, STYLE_PLAIN, file.text, file.len);
	document_prose(document, ":");
	document_styled(document, STYLE_STRONG, name.text, name.len);
	if (model->has_objects && has_object) {
		document_prose(document, " [");
		document_styled(document, STYLE_PLAIN, object.text, object.len);
		document_prose(document, "]");
	}
	document_end_words(document);
	document_cell(document, render_name(file));
	document_cell(document, has_object ? render_name(object) : cell_none);
}

static void put_row(struct document *document, void *ctx, size_t i)
{
	const struct rankbalance *balance = ctx;
	const struct balance_row *row = &balance->rows[i];

	document_cell(document, count_cell(balance, row->mean));
	document_cell(document, count_cell(balance, row->max));
	document_cell(document, cell_number(row->balance, 2));
	document_cell(document, row->is_even ? cell_none : cell_count(row->rank));
	if (row->function != MODEL_NO_FUNCTION) {
		put_names(document, balance->model, &balance->model->functions[row->function]);
		return;
	}
	document_begin_words(document, cell_none);
	document_prose(document, "PROGRAM TOTALS");
	document_end_words(document);
	document_cell(document, cell_none);
	document_cell(document, cell_none);
}

static void put_function(struct document *document, void *ctx, size_t i)
{
	put_row(document, ctx, i + 1);
}

void rankbalance_print(const struct rankbalance *balance, const struct document_backend *backend,
		       FILE *out, bool color, size_t width)
{
	static const char *const csv_fields[] = {
		"record", "function", "file", "object", "mean", "max", "balance", "rank",
	};
	static const struct document_column columns[] = {
		{ .title = "mean", .key = "mean", .field = "mean" },
		{ .title = "max", .key = "max", .field = "max" },
		{ .title = "max/mean", .key = "balance", .field = "balance" },
		{ .title = "rank", .key = "rank", .field = "rank" },
		{ .title = "function", .key = "function", .field = "function" },
		{ .key = "file", .field = "file" },
		{ .key = "object", .field = "object" },
	};
	struct document_view view = {
		.table = { .key = "total", .record = "total", COLUMNS(columns) },
		.n_rows = 1,
		.put_row = put_row,
		.ctx = document_view_ctx(balance),
	};
	const char *event = metric_of(balance)->name;
	struct document document;

	document_begin(&document, backend, out, csv_fields,
		       sizeof(csv_fields) / sizeof(csv_fields[0]), 0);
	if (color)
		document_use_color(&document);
	document_fit(&document, width);
	document_value(&document, "schema", cell_string("costgrind ranks"));
	document_value(&document, "version", cell_count(1));
	document_value(&document, "ranks", cell_string(balance->ranks));
	document_value(&document, "event", cell_string(event));
	document_section(&document, 1, "Balance of the ranks", NULL);
	document_words(&document, event);
	document_prose(&document, " of %zu ranks, %s; the rank is the one with the most\n\n",
		       balance->n_ranks, balance->ranks);
	/* People see the program above its functions. */
	if (document_is_prose(&document)) {
		view.n_rows = balance->n;
	} else {
		document_view(&document, &view);
		view.table.key = "functions";
		view.table.record = "function";
		view.n_rows = balance->n - 1;
		view.put_row = put_function;
	}
	document_view(&document, &view);
	if (balance->n_left > 0)
		document_prose(&document, "\n%zu of %zu functions are shown.\n", balance->n - 1,
			       balance->n - 1 + balance->n_left);
	document_end(&document);
}
