/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/compare/pairtimes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/common/heap.h"

enum { CONFIDENCE = 95 }; /* percent */

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Of n sorted numbers. */
static double median(const double *sorted, size_t n)
{
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/*
 * The rank k of the interval's ends among n ratios; 0 = there is none.  The true median is below the k-th smallest if fewer
 * than k of n ratios are below it, each with a probability of one half, and above the k-th largest as often.
 */
static size_t interval_rank(size_t n)
{
	double term = 1, below = 0;
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		term /= 2; /* PAIRTIMES_MOST of them do not vanish */
	for (below = term; 2 * below <= 1 - CONFIDENCE / 100.0; below += term) {
		term = term * (double)(n - k) / (double)(k + 1);
		k++;
	}
	return k;
}

struct pairtimes_summary pairtimes_summarize(const struct pairtimes *times,
					     enum pairtimes_kind kind)
{
	const size_t n = times->n, size = n * sizeof(double), rank = interval_rank(n);
	double *sorted = heap_alloc(size);
	struct pairtimes_summary summary = { .has_interval = rank > 0 };

	for (int side = 0; side < 2; side++) {
		memcpy(sorted, times->seconds[kind][side], size);
		qsort(sorted, n, sizeof(*sorted), compare);
		summary.medians[side] = median(sorted, n);
	}
	for (size_t i = 0; i < n; i++)
		sorted[i] = times->seconds[kind][1][i] / times->seconds[kind][0][i];
	qsort(sorted, n, sizeof(*sorted), compare);
	summary.ratio = median(sorted, n);
	if (rank > 0) {
		summary.low = sorted[rank - 1];
		summary.high = sorted[n - rank];
	}
	free(sorted);
	return summary;
}

/* -- in a report ------------------------------------------------------------------------ */

enum { CELL_BYTES = 48 };

static const char *const kind_names[N_PAIRTIMES] = { "cpu", "wall" };

static double percent(double ratio)
{
	return (ratio - 1) * 100;
}

static struct cell put_seconds(char text[CELL_BYTES], double seconds)
{
	if (seconds < 1e-3)
		snprintf(text, CELL_BYTES, "%.0f us", seconds * 1e6);
	else if (seconds < 1)
		snprintf(text, CELL_BYTES, "%.*f ms", seconds < 0.1 ? 2 : 1, seconds * 1e3);
	else
		snprintf(text, CELL_BYTES, "%.2f s", seconds);
	return cell_string(text);
}

static void put_row(struct document *document, void *ctx, size_t row)
{
	static const char *const titles[N_PAIRTIMES] = { "user + system", "wall clock" };
	const struct pairtimes_summary *summary = (const struct pairtimes_summary *)ctx + row;
	char texts[4][CELL_BYTES];

	for (int side = 0; side < 2; side++)
		document_cell(document, put_seconds(texts[side], summary->medians[side]));
	snprintf(texts[2], CELL_BYTES, "%+.1f %%", percent(summary->ratio));
	document_cell(document, cell_string(texts[2]));
	snprintf(texts[3], CELL_BYTES, "%+.1f ... %+.1f", percent(summary->low),
		 percent(summary->high));
	document_cell(document, summary->has_interval ? cell_string(texts[3]) : cell_none);
	for (int side = 0; side < 2; side++)
		document_cell(document, cell_number(summary->medians[side], 6));
	document_cell(document, cell_number(summary->medians[1] - summary->medians[0], 6));
	document_cell(document,
		      cell_string(document_is_prose(document) ? titles[row] : kind_names[row]));
}

void pairtimes_put(void *ctx, struct document *document, const struct diffreport_change *change)
{
	/* People have units that suit them, programs seconds. */
	static const struct document_column columns[] = {
		{ .title = "OLD" },    { .title = "NEW" },
		{ .title = "change" }, { .title = "95 % interval" },
		{ .field = "old" },    { .field = "new" },
		{ .field = "change" }, { .title = "time, medians", .field = "event" },
	};
	const struct pairtimes *times = ctx;
	struct pairtimes_summary summaries[N_PAIRTIMES];
	const struct pairtimes_summary *cpu = &summaries[PAIRTIMES_CPU];

	for (int kind = 0; kind < N_PAIRTIMES; kind++)
		summaries[kind] = pairtimes_summarize(times, (enum pairtimes_kind)kind);
	document_object(document, "time", false);
	document_value(document, "pairs", cell_count((int128)times->n));
	document_value(document, "confidence", cell_count(CONFIDENCE));
	for (int kind = 0; kind < N_PAIRTIMES; kind++) {
		const struct pairtimes_summary *summary = &summaries[kind];

		document_object(document, kind_names[kind], true);
		document_value(document, "old", cell_number(summary->medians[0], 6));
		document_value(document, "new", cell_number(summary->medians[1], 6));
		document_value(document, "ratio", cell_number(summary->ratio, 6));
		if (summary->has_interval) {
			document_value(document, "low", cell_number(summary->low, 6));
			document_value(document, "high", cell_number(summary->high, 6));
		}
		document_close(document);
	}
	document_close(document);
	if (change->old > 0) {
		document_words(document, change->noun);
		document_prose(document, " %+.1f %%   ",
			       (double)change->change / (double)change->old * 100);
	}
	document_prose(document, "time %+.1f %%", percent(cpu->ratio));
	if (cpu->has_interval)
		document_prose(document, " (%+.1f ... %+.1f)", percent(cpu->low),
			       percent(cpu->high));
	document_prose(document, ", %zu %s of native runs\n\n", times->n,
		       times->n == 1 ? "pair" : "pairs");
	document_view(document, &(const struct document_view){
					.table = { .record = "time",
						   .columns = columns,
						   .n = sizeof(columns) / sizeof(columns[0]) },
					.n_rows = N_PAIRTIMES,
					.put_row = put_row,
					.ctx = summaries,
				});
	document_prose(document, document_is_short(document) ? "\n" : "");
}
