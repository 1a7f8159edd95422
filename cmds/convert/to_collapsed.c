/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * collapsed: "main;parse;read 120", a stack a line; collapsed-diff: with two
 * numbers, as flamegraph.pl and inferno draw differences.
 *
 * Readers pass over lines that do not end in a number; so a first line can say what
 * the numbers are, and where the stacks come from.
 */
#include "cmds/convert/folded.h"
#include "cmds/convert/formats.h"
#include "profile/analysis/pathtree.h"

static void write_head(struct out *out, const struct conversion *conversion)
{
	bool is_exact = conversion->tree->is_exact &&
			(!conversion->other_tree || conversion->other_tree->is_exact);

	out_text(out, "# event: ");
	out_text(out, format_event(conversion));
	out_text(out, is_exact ? "; stacks: as they were" : "; stacks: " PATHTREE_DERIVED);
	out_char(out, '\n');
}

static int write_stacks(struct conversion *conversion, unsigned n_columns)
{
	struct folded folded;
	struct out out;
	int status;

	folded_init(&folded, conversion->env);
	out_init(&out, conversion->env);
	status = folded_add(&folded, conversion->tree, 0);
	if (!status && n_columns > 1)
		status = folded_add(&folded, conversion->other_tree, 1);
	if (!status) {
		write_head(&out, conversion);
		status = folded_write(&folded, n_columns, &out);
	}
	format_close(conversion, &out);
	folded_release(&folded);
	return status;
}

int to_collapsed(struct conversion *conversion)
{
	return write_stacks(conversion, 1);
}

int to_collapsed_diff(struct conversion *conversion)
{
	return write_stacks(conversion, 2);
}
