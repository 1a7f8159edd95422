/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What both begin and end with is taken as it is; of what is between, a table has the length of the
 * longest common subsequence of each pair of tails, and is walked from its corner.
 */
#include "cmds/report/report.h"

#include <stdlib.h>

#include "profile/common/error.h"
#include "profile/common/heap.h"

/* lengths[i * (m + 1) + j] is of a from i on and b from j on. */
static void fill(uint32_t *lengths, const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
	size_t width = m + 1;

	for (size_t i = n; i-- > 0;) {
		for (size_t j = m; j-- > 0;) {
			uint32_t *length = &lengths[i * width + j];

			if (a[i] == b[j])
				*length = length[width + 1] + 1;
			else
				*length = length[width] > length[1] ? length[width] : length[1];
		}
	}
}

static void align_middle(const uint32_t *a, size_t n, const uint32_t *b, size_t m, size_t *partners)
{
	uint32_t *lengths = heap_zeroed((n + 1) * (m + 1), sizeof(*lengths));
	size_t i = 0, j = 0;

	fill(lengths, a, n, b, m);
	while (i < n && j < m) {
		const uint32_t *length = &lengths[i * (m + 1) + j];

		if (a[i] == b[j])
			partners[i++] = j++;
		else if (length[m + 1] >= length[1])
			i++;
		else
			j++;
	}
	free(lengths);
}

int alignment_make(const struct alignment_list *a, const struct alignment_list *b, size_t *effort,
		   size_t *partners)
{
	size_t most = a->n < b->n ? a->n : b->n; /* in common */
	size_t head = 0, tail = 0, n, m, cells;

	while (head < most && a->keys[head] == b->keys[head])
		head++;
	while (head + tail < most && a->keys[a->n - 1 - tail] == b->keys[b->n - 1 - tail])
		tail++;
	n = a->n - head - tail;
	m = b->n - head - tail;
	if (__builtin_mul_overflow(n + 1, m + 1, &cells) || cells > *effort)
		return PROFILE_RANGE;
	*effort -= cells;
	for (size_t i = 0; i < a->n; i++)
		partners[i] = ALIGNMENT_NONE;
	align_middle(a->keys + head, n, b->keys + head, m, partners + head);
	for (size_t i = head; i < head + n; i++)
		if (partners[i] != ALIGNMENT_NONE)
			partners[i] += head;
	for (size_t i = 0; i < head; i++)
		partners[i] = i;
	for (size_t i = 0; i < tail; i++)
		partners[a->n - 1 - i] = b->n - 1 - i;
	return PROFILE_OK;
}
