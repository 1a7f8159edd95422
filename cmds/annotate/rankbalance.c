/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/annotate/rankbalance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

static const char no_memory[] = "out of memory";

/* -- ranks ----------------------------------------------------------------------------------- */

static const char *rank_desc(const struct part *part)
{
	for (size_t i = 0; i < part->n_descs; i++)
		if (strcmp(part->descs[i].type, "Rank") == 0 &&
		    rank_set_is_list(part->descs[i].value))
			return part->descs[i].value;
	return NULL;
}

/* Says what a part is, which is not one of one rank. */
static const char *not_one_rank(const struct model_part *part, const char *rank,
				struct arena *arena)
{
	struct profile_error error;

	if (rank)
		profile_error_set(
			&error, PROFILE_SYNTAX,
			"%.200s: expected profiles of one rank each, found ranks %.80s added "
			"up (costgrind merge --as=threads keeps them apart)",
			part->file ? part->file : "???", rank);
	else
		profile_error_set(
			&error, PROFILE_SYNTAX,
			"%.200s: expected profiles of ranks (desc: Rank: N), found no rank",
			part->file ? part->file : "???");
	return arena_copy(arena, error.text, strlen(error.text));
}

/* How many ranks are before one, which is in the set. */
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

static const char *find_ranks(struct rankbalance *balance, struct arena *arena)
{
	const struct model *model = balance->model;

	balance->rank_of_part = arena_alloc(arena, model->n_parts * sizeof(uint32_t), 4);
	if (!balance->rank_of_part)
		return no_memory;
	for (size_t i = 0; i < model->n_parts; i++) {
		const char *rank = rank_desc(&model->parts[i].header);
		char *end = NULL;

		balance->rank_of_part[i] = rank ? (uint32_t)strtoul(rank, &end, 10) : 0;
		if (!rank || *end != '\0') {
			const char *wrong = not_one_rank(&model->parts[i], rank, arena);

			return wrong ? wrong : no_memory;
		}
		if (!rank_set_add(&balance->ranks, balance->rank_of_part[i],
				  balance->rank_of_part[i]))
			return no_memory;
	}
	for (size_t i = 0; i < model->n_parts; i++)
		balance->rank_of_part[i] = index_of(&balance->ranks, balance->rank_of_part[i]);
	return NULL;
}

/* -- rows ------------------------------------------------------------------------------------ */

static const struct metric *metric_of(const struct rankbalance *balance)
{
	return &balance->columns.metrics.all[balance->columns.keys[0].metric];
}

/* Fills in a row by what n ranks had. */
static void fill(struct rankbalance_row *row, const struct rankbalance *balance,
		 const int128 *values, uint32_t n)
{
	int128 sum = 0;
	uint32_t greatest = 0;

	row->is_even = true;
	for (uint32_t i = 0; i < n; i++) {
		sum += values[i];
		row->is_even &= values[i] == values[0];
		if (values[i] > values[greatest])
			greatest = i;
	}
	row->max = values[greatest];
	row->rank = rank_at(&balance->ranks, greatest);
	row->mean = (2 * sum + (int128)n) / (2 * (int128)n);
	row->balance = sum > 0 ? (double)row->max * n / (double)sum : (double)NAN;
}

/* Most to be gained first, then the larger, then the function that was read first. */
static int compare_rows(const void *a, const void *b)
{
	const struct rankbalance_row *left = a, *right = b;
	const int128 of_left = left->max - left->mean, of_right = right->max - right->mean;

	if (of_left != of_right)
		return of_left > of_right ? -1 : 1;
	if (left->max != right->max)
		return left->max > right->max ? -1 : 1;
	return left->function < right->function ? -1 : left->function > right->function;
}

/* Adds what a function cost each rank to values, and to the totals. */
static void add_function(const struct rankbalance *balance, uint32_t function, int128 *values,
			 int128 *totals)
{
	const struct model *model = balance->model;
	uint64_t costs[PROFILE_MAX_EVENTS];

	for (uint32_t part = 0; part < model->n_parts; part++) {
		uint32_t rank = balance->rank_of_part[part];
		int128 value;

		if (!model_has(model, function, part))
			continue;
		model_self(model, function, part, costs);
		value = metric_value(metric_of(balance), costs, model->is_signed);
		values[rank] += value;
		totals[rank] += value;
	}
}

static const char *make_rows(struct rankbalance *balance, const struct column_choice *choice,
			     size_t most, struct arena *arena)
{
	const struct model *model = balance->model;
	const uint32_t n = (uint32_t)rank_set_count(&balance->ranks);
	int128 *values = arena_alloc(arena, n * sizeof(*values), 16);
	int128 *totals = arena_alloc(arena, n * sizeof(*totals), 16);
	size_t kept = 0;

	balance->rows = arena_alloc(arena, (model->n_functions + 1) * sizeof(*balance->rows), 16);
	if (!values || !totals || !balance->rows)
		return no_memory;
	memset(totals, 0, n * sizeof(*totals));
	for (uint32_t i = 0; i < model->n_functions; i++) {
		memset(values, 0, n * sizeof(*values));
		add_function(balance, i, values, totals);
		balance->rows[i].function = i;
		fill(&balance->rows[i], balance, values, n);
	}
	balance->total.function = MODEL_NO_FUNCTION;
	fill(&balance->total, balance, totals, n);
	qsort(balance->rows, model->n_functions, sizeof(*balance->rows), compare_rows);
	for (size_t i = 0; i < model->n_functions; i++) {
		const struct rankbalance_row row = balance->rows[i];
		bool matters = most > 0 ? kept < most
					: (double)row.max * 100 >=
						  choice->threshold * (double)balance->total.max;

		if (row.max > 0 && matters)
			balance->rows[kept++] = row;
		else if (row.max > 0)
			balance->n_left++;
	}
	balance->n = kept;
	return NULL;
}

const char *rankbalance_make(struct rankbalance *balance, const struct model *model,
			     const struct column_choice *choice, size_t most, struct arena *arena,
			     bool *is_usage)
{
	const char *wrong;

	*balance = (struct rankbalance){ .model = model };
	rank_set_init(&balance->ranks, &heap_env);
	*is_usage = false;
	wrong = find_ranks(balance, arena);
	if (!wrong) {
		wrong = columns_init(&balance->columns, model, choice, arena);
		*is_usage = wrong != NULL;
	}
	return wrong ? wrong : make_rows(balance, choice, most, arena);
}

void rankbalance_release(struct rankbalance *balance)
{
	rank_set_release(&balance->ranks);
}

/* -- document -------------------------------------------------------------------------------- */

struct printing {
	const struct rankbalance *balance;
	struct document document;
};

static struct cell count_cell(const struct rankbalance *balance, int128 value)
{
	return cell_decimal(cell_count(value), metric_of(balance)->decimals);
}

static void put_numbers(struct printing *printing, const struct rankbalance_row *row)
{
	struct document *document = &printing->document;

	document_cell(document, count_cell(printing->balance, row->mean));
	document_cell(document, count_cell(printing->balance, row->max));
	document_cell(document, cell_number(row->balance, 2));
	document_cell(document, row->is_even ? cell_none : cell_count(row->rank));
}

static struct name name_of(const struct printing *printing, const struct rankbalance_row *row,
			   enum name_kind kind)
{
	const struct model *model = printing->balance->model;
	const struct model_function *function = &model->functions[row->function];

	return model_name(model, kind,
			  kind == NAME_FUNCTION ? function->name
			  : kind == NAME_FILE   ? function->file
						: function->object);
}

static void put_prose_rows(struct document *document, void *ctx)
{
	struct printing *printing = ctx;
	const struct rankbalance *balance = printing->balance;

	put_numbers(printing, &balance->total);
	document_begin_cell(document);
	document_prose(document, "PROGRAM TOTALS");
	document_end_cell(document);
	for (size_t i = 0; i < balance->n; i++) {
		const struct name file = name_of(printing, &balance->rows[i], NAME_FILE);
		const struct name function = name_of(printing, &balance->rows[i], NAME_FUNCTION);
		const struct name object = name_of(printing, &balance->rows[i], NAME_OBJECT);

		put_numbers(printing, &balance->rows[i]);
		document_begin_cell(document);
		document_styled(document, STYLE_PLAIN, file.text, file.len);
		document_prose(document, ":");
		document_styled(document, STYLE_STRONG, function.text, function.len);
		if (balance->model->has_objects && object.key != DICTIONARY_UNKNOWN) {
			document_prose(document, " [");
			document_styled(document, STYLE_PLAIN, object.text, object.len);
			document_prose(document, "]");
		}
		document_end_cell(document);
	}
}

static void put_for_people(struct printing *printing, const char *ranks)
{
	static const struct document_column columns[] = {
		{ .title = "mean" }, { .title = "max" },      { .title = "max/mean" },
		{ .title = "rank" }, { .title = "function" },
	};
	const struct rankbalance *balance = printing->balance;
	struct document *document = &printing->document;

	document_section(document, 1, "Balance of the ranks", NULL);
	document_words(document, metric_of(balance)->name);
	document_prose(document, " of %llu ranks, %s; the rank is the one with the most\n\n",
		       (unsigned long long)rank_set_count(&balance->ranks), ranks);
	document_table(document, &(const struct document_table){
					 .columns = columns,
					 .n = sizeof(columns) / sizeof(columns[0]),
					 .put_rows = put_prose_rows,
					 .ctx = printing,
				 });
	if (balance->n_left > 0)
		document_prose(document, "\n%zu of %zu functions are shown.\n", balance->n,
			       balance->n + balance->n_left);
}

static const char *const csv_fields[] = {
	"record", "function", "file", "object", "mean", "max", "balance", "rank",
};

static void put_for_programs(struct printing *printing, const char *ranks)
{
	static const struct document_column columns[] = {
		{ .key = "mean", .field = "mean" },         { .key = "max", .field = "max" },
		{ .key = "balance", .field = "balance" },   { .key = "rank", .field = "rank" },
		{ .key = "function", .field = "function" }, { .key = "file", .field = "file" },
		{ .key = "object", .field = "object" },
	};
	struct document_table table = {
		.key = "total",
		.record = "total",
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
	};
	const struct rankbalance *balance = printing->balance;
	struct document *document = &printing->document;

	document_value(document, "schema", cell_string("costgrind ranks"));
	document_value(document, "version", cell_count(1));
	document_value(document, "ranks", cell_string(ranks));
	document_value(document, "event", cell_string(metric_of(balance)->name));
	document_begin_rows(document, &table);
	put_numbers(printing, &balance->total);
	for (int i = 0; i < 3; i++)
		document_cell(document, cell_none);
	document_end_rows(document);
	table.key = "functions";
	table.record = "function";
	document_begin_rows(document, &table);
	for (size_t i = 0; i < balance->n; i++) {
		static const enum name_kind kinds[] = { NAME_FUNCTION, NAME_FILE, NAME_OBJECT };

		put_numbers(printing, &balance->rows[i]);
		for (size_t k = 0; k < 3; k++) {
			const struct name name = name_of(printing, &balance->rows[i], kinds[k]);

			document_cell(document,
				      kinds[k] == NAME_OBJECT && name.key == DICTIONARY_UNKNOWN
					      ? cell_none
					      : cell_text(name.text, name.len));
		}
	}
	document_end_rows(document);
}

bool rankbalance_print(const struct rankbalance *balance, const struct document_backend *backend,
		       FILE *out, bool color)
{
	struct printing printing = { .balance = balance };
	struct bytes ranks;
	bool is_whole;

	bytes_init(&ranks, &heap_env);
	rank_set_print(&balance->ranks, &ranks);
	bytes_add_char(&ranks, '\0');
	document_begin(&printing.document, backend, out, csv_fields,
		       sizeof(csv_fields) / sizeof(csv_fields[0]), 0);
	if (ranks.failed)
		document_fail(&printing.document);
	else if (document_is_prose(&printing.document)) {
		if (color)
			document_use_color(&printing.document);
		put_for_people(&printing, ranks.text);
	} else {
		put_for_programs(&printing, ranks.text);
	}
	is_whole = document_end(&printing.document);
	bytes_release(&ranks);
	return is_whole;
}
