/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A *part* is what one inlinee (tool/symbols/inlinee.h) did in one context of the
 * function around it: "b in a in f, called by main".  In the profile it is in
 * a context of b's, as if a had called it; that context it may share with
 * other parts, wherever else b was inlined, and with b's own code.
 *
 *	counted				written
 *	f	3	own		f	3
 *		2	a in f			calls=1 a	2 + 7 + 90
 *		7	b in a in f	a	2
 *		90	call of g by b		calls=1 b	7 + 90
 *					b	7
 *						calls=1 g	90
 */
#include "tool/output/graph.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/state.h"
#include "tool/common/ordering.h"
#include "tool/counts/state.h"
#include "tool/instrument/state.h"
#include "tool/output/flow.h"
#include "tool/output/state.h"
#include "tool/symbols/symbol.h"

/* A part.  key is that of its inlinee and the context around it. */
struct inlined_part {
	struct inlined_part *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct context *around;        /* that it was counted in */
	const struct inlinee *inlinee; /* or NULL: what is not inlined there */
	struct inlined_part *parent;   /* NULL only for the latter */
	struct inlined_part *older;    /* made before this one */
	struct context *context;       /* that it is written in */
	Bool skipped;                  /* it is written as a part of its parent */
	ULong costs[N_EVENTS];         /* with all that it calls */
	const struct site *first;      /* NULL at first */
	ULong n_calls;
	ULong mark;               /* of the block or edge that is looked at */
	struct site site, target; /* of the call of it */
	struct scope scope;       /* the site's */
};

/* A function by what the profile shows of it. */
struct known {
	struct known *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct function *function;
};

/* A site of code that is written as if it stood elsewhere. */
struct moved_site {
	struct moved_site *older;
	struct site site;
	struct scope scope;
};

struct inline_unfolding {
	VgHashTable *parts;
	struct inlined_part *newest_part;
	UInt n_calls; /* parts that are called: not skipped, and inlined */
	VgHashTable *known;
	struct moved_site *newest_moved;
	struct cell *cells;
	ULong *new_arcs; /* those that were not counted so; one behind the other */
	UInt n_new_arcs;
	struct jump_count *jumps;
	ULong last_mark;
};

/* --- functions ---------------------------------------------------------------------- */

static UWord shown_key(const struct function *function)
{
	return function->name->key ^ function->file->key * 3 ^ function->object->key * 7;
}

static Word shown_compare(const void *a, const void *b)
{
	const struct function *left = ((const struct known *)a)->function;
	const struct function *right = ((const struct known *)b)->function;

	return left->name != right->name || left->file != right->file ||
	       left->object != right->object;
}

static void know(struct inline_unfolding *unfolding, struct function *function)
{
	struct known *known = VG_(malloc)("costgrind.known", sizeof(*known));

	*known = (struct known){ .key = shown_key(function), .function = function };
	VG_(HT_add_node)(unfolding->known, known);
}

/*
 * All functions that have code of their own: an inlined one that looks the
 * same is the same.  Of some that look the same, it is the first one.
 */
static void know_all(struct inline_unfolding *unfolding)
{
	UInt n;
	struct function **all = symbols_ranked(&tool_symbols, &n);

	for (UInt i = 0; i < n; i++) {
		struct known wanted = { .key = shown_key(all[i]), .function = all[i] };

		if (all[i]->entry != 0 &&
		    VG_(HT_gen_lookup)(unfolding->known, &wanted, shown_compare) == NULL)
			know(unfolding, all[i]);
	}
	if (all != NULL)
		VG_(free)(all);
}

static struct function *function_of(struct inline_unfolding *unfolding,
				    const struct function *around, const struct inlinee *inlinee)
{
	struct function looks = {
		.object = around->object,
		.file = inlinee_file(inlinee),
		.name = inlinee->name,
	};
	struct known wanted = { .key = shown_key(&looks), .function = &looks };
	struct known *known = VG_(HT_gen_lookup)(unfolding->known, &wanted, shown_compare);
	struct function *function;

	if (known != NULL)
		return known->function;
	function = symbols_inlined(&tool_symbols, looks.object, looks.file, looks.name);
	know(unfolding, function);
	return function;
}

/* --- parts -------------------------------------------------------------------------- */

/*
 * The level of recursion: that of the function around it, and one more for
 * each time that it is there already.
 */
static UInt level_of(const struct inlined_part *part, const struct function *function,
		     Bool skip_direct)
{
	const struct function *callee = function;
	UInt level = part->around->level;

	for (const struct inlined_part *outer = part->parent; outer != NULL;
	     outer = outer->parent) {
		const struct function *caller = outer->context->function;

		if (outer->skipped)
			continue;
		level += caller == function && !(skip_direct && callee == function);
		callee = caller;
	}
	return level < function->settings.recs ? level : function->settings.recs;
}

/* The context of a part that a function is. */
static struct context *context_of(const struct inlined_part *part, struct function *function)
{
	const struct context *caller = part->parent->context;
	const struct function *callers[FN_MAX_CALLERS];
	UInt n_wanted = function->settings.callers;
	struct context_spec spec = {
		.function = function,
		.thread = part->around->thread,
		.level = level_of(part, function, tool_calls.options.skip_direct_rec),
		.callers = callers,
	};

	if (caller->function != function && n_wanted > 0)
		callers[spec.n_callers++] = caller->function;
	for (UInt i = 0; i < caller->n_callers && spec.n_callers < n_wanted; i++)
		callers[spec.n_callers++] = caller->callers[i];
	return contexts_find(&tool_counts.contexts, &spec);
}

static Word part_compare(const void *a, const void *b)
{
	const struct inlined_part *left = a, *right = b;

	return left->around != right->around || left->inlinee != right->inlinee;
}

static struct inlined_part *find_part(const struct inline_unfolding *unfolding,
				      struct context *around, const struct inlinee *inlinee)
{
	const struct inlined_part wanted = {
		.key = (Addr)around * 31 + (Addr)inlinee,
		.around = around,
		.inlinee = inlinee,
	};

	return VG_(HT_gen_lookup)(unfolding->parts, &wanted, part_compare);
}

/* A part whose parent is there already. */
static struct inlined_part *make_part(struct inline_unfolding *unfolding, struct context *around,
				      const struct inlinee *inlinee)
{
	struct inlined_part *part = VG_(calloc)("costgrind.part", 1, sizeof(*part));

	part->key = (Addr)around * 31 + (Addr)inlinee;
	part->around = around;
	part->inlinee = inlinee;
	part->context = around;
	part->older = unfolding->newest_part;
	if (inlinee != NULL) {
		struct function *function = function_of(unfolding, around->function, inlinee);

		part->parent = find_part(unfolding, around, inlinee->parent);
		part->skipped = function->settings.skip;
		part->context = part->skipped ? part->parent->context : context_of(part, function);
		unfolding->n_calls += !part->skipped;
	}
	unfolding->newest_part = part;
	VG_(HT_add_node)(unfolding->parts, part);
	return part;
}

/* The part that a site is of in a context. */
static struct inlined_part *part_of(struct inline_unfolding *unfolding, struct context *around,
				    const struct site *site)
{
	const struct inlinee *innermost =
		inlinees_by_number(&tool_symbols.inlinees, site->scope->inlined);
	struct inlined_part *part = find_part(unfolding, around, innermost);

	while (part == NULL) {
		/* The outermost one that is missing. */
		const struct inlinee *missing = innermost;

		while (missing != NULL && find_part(unfolding, around, missing->parent) == NULL)
			missing = missing->parent;
		make_part(unfolding, around, missing);
		part = find_part(unfolding, around, innermost);
	}
	return part;
}

/* --- what they cost ------------------------------------------------------------------ */

/* Which of two instructions of a part is its first: cold code may lie before the rest. */
static Int first_order(const struct site *a, const struct site *b)
{
	Int order = by_number(a->scope->function->cold, b->scope->function->cold);

	return order != 0 ? order : by_number(site_place(a).address, site_place(b).address);
}

static void see_insn(struct inlined_part *part, const struct site *site)
{
	if (part->first == NULL || first_order(site, part->first) < 0)
		part->first = site;
}

static void add_cell(struct inlined_part *part, const struct cost *cost)
{
	ULong counts[N_EVENTS] = { 0 };

	cell_sum(&tool_counts.sites, cost->cell, counts);
	for (; part != NULL; part = part->parent) {
		cell_sum(&tool_counts.sites, cost->cell, part->costs);
		if (counts[EVENT_IR] != 0 || part->first == NULL)
			see_insn(part, cost->site);
	}
}

static void add_arc(struct inlined_part *part, const struct arc *arc)
{
	for (; part != NULL; part = part->parent) {
		arc_sum(&tool_calls.arcs, arc, part->costs);
		if (part->first == NULL)
			see_insn(part, arc->ends.site);
	}
}

static void make_parts(struct inline_unfolding *unfolding, const struct graph *graph)
{
	for (UInt i = 0; i < graph->n_costs; i++) {
		const struct cost *cost = &graph->costs[i];

		if (cost->site->scope->inlined != NOT_INLINED)
			add_cell(part_of(unfolding, cost->cell->context, cost->site), cost);
	}
	for (UInt i = 0; i < graph->n_arcs; i++) {
		const struct arc_key *ends = &graph->arcs[i]->ends;

		if (ends->site->scope->inlined != NOT_INLINED)
			add_arc(part_of(unfolding, ends->from, ends->site), graph->arcs[i]);
	}
}

/* --- how often they were called -------------------------------------------------------- */

/* What each instruction of a context's flow is in; NULL: in nothing inlined. */
static struct inlined_part **parts_of(struct inline_unfolding *unfolding, struct context *context,
				      const struct flow *flow)
{
	struct inlined_part **parts = VG_(malloc)(
		"costgrind.flow_parts", (flow->n_insns + 1) * sizeof(struct inlined_part *));

	for (UInt i = 0; i < flow->n_insns; i++) {
		const struct site *site = flow->insns[i].site;

		parts[i] = site->scope->inlined == NOT_INLINED ? NULL
							       : part_of(unfolding, context, site);
	}
	return parts;
}

/* Marks all parts that instructions of a block are in; each execution of it is one of them. */
static void enter_block(struct inlined_part *const *parts, const struct flow_block *block,
			ULong mark)
{
	for (UInt i = block->first; i <= block->last; i++)
		for (struct inlined_part *part = parts[i]; part != NULL; part = part->parent) {
			if (part->mark == mark)
				continue;
			part->mark = mark;
			part->n_calls += block->executions;
		}
}

/* Whether an instruction that is in a part, or NULL, is also in another, or in what that is in. */
static Bool is_within(const struct inlined_part *part, const struct inlined_part *outer)
{
	while (part != NULL && part != outer)
		part = part->parent;
	return part != NULL;
}

/*
 * Control passed from one block to another.  A part that is in both goes on there, unless a
 * loop around it went into its next round: compilers mix a function's instructions with
 * those around it, and move them, above all in front of loops.  A loop is the part's own if its
 * code went back to its code.  Computed jumps of code around it begin anew: they are a
 * switch's or an interpreter's, of which each case may have a copy.
 */
static void follow_edge(struct inlined_part *const *parts, const struct flow *flow,
			const struct flow_edge *edge, ULong mark)
{
	const struct flow_block *from = &flow->blocks[edge->from];
	const struct flow_block *to = &flow->blocks[edge->to];
	Bool computed = flow_is_computed(flow, from);

	for (UInt i = from->first; i <= from->last; i++)
		for (struct inlined_part *part = parts[i]; part != NULL; part = part->parent) {
			Bool own = is_within(parts[from->last], part);

			if (own ? !edge->back || is_within(parts[to->first], part)
				: !edge->back && !computed)
				part->mark = mark;
		}
	for (UInt i = to->first; i <= to->last; i++)
		for (struct inlined_part *part = parts[i]; part != NULL; part = part->parent)
			if (part->mark == mark) {
				part->mark = 0;
				part->n_calls -= edge->count < part->n_calls ? edge->count
									     : part->n_calls;
			}
}

static void count_entries(struct inline_unfolding *unfolding, struct context *context,
			  const struct flow *flow)
{
	struct inlined_part **parts = parts_of(unfolding, context, flow);

	for (UInt i = 0; i < flow->n_blocks; i++)
		enter_block(parts, &flow->blocks[i], ++unfolding->last_mark);
	for (UInt i = 0; i < flow->n_edges; i++)
		follow_edge(parts, flow, &flow->edges[i], ++unfolding->last_mark);
	VG_(free)(parts);
}

/* Costs and jumps are sorted by contexts. */
static void count_calls(struct inline_unfolding *unfolding, const struct graph *graph)
{
	VgHashTable *skipped = flow_skipped();
	UInt cost = 0, jump = 0;

	while (cost < graph->n_costs) {
		struct context *context = graph->costs[cost].cell->context;
		UInt n = 0, n_jumps = 0;
		Bool has_parts = False;
		struct flow flow;

		for (; cost + n < graph->n_costs && graph->costs[cost + n].cell->context == context;
		     n++)
			has_parts |= graph->costs[cost + n].site->scope->inlined != NOT_INLINED;
		while (jump < graph->n_jumps && graph->jumps[jump]->context->rank < context->rank)
			jump++;
		while (jump + n_jumps < graph->n_jumps &&
		       graph->jumps[jump + n_jumps]->context == context)
			n_jumps++;
		if (has_parts) {
			flow_make(&flow, &graph->costs[cost], n, &graph->jumps[jump], n_jumps,
				  skipped);
			count_entries(unfolding, context, &flow);
			flow_free(&flow);
		}
		cost += n;
		jump += n_jumps;
	}
	VG_(HT_destruct)(skipped, VG_(free));
}

/* --- the graph ---------------------------------------------------------------------- */

/* The part that what is in a part is written in; its place there goes into a site and the site's own scope. */
static const struct inlined_part *written_part(const struct inlined_part *part, struct site *site,
					       struct scope *scope)
{
	for (; part->skipped; part = part->parent) {
		scope->file = part->inlinee->call_file;
		scope->inlined = NOT_INLINED;
		site->line = part->inlinee->call_line;
	}
	return part;
}

/* A site as it is, but for a scope of its own. */
static void copy_site(struct site *site, struct scope *scope, const struct site *from)
{
	*site = *from;
	*scope = *from->scope;
	site->scope = scope;
}

/* A copy of the site of something in a skipped part: the one at which it is written. */
static struct site *move_site(struct inline_unfolding *unfolding, const struct site *site,
			      const struct inlined_part *part)
{
	struct moved_site *moved = VG_(malloc)("costgrind.moved", sizeof(*moved));

	moved->older = unfolding->newest_moved;
	unfolding->newest_moved = moved;
	copy_site(&moved->site, &moved->scope, site);
	written_part(part, &moved->site, &moved->scope);
	return &moved->site;
}

static void move_costs(struct inline_unfolding *unfolding, struct graph *graph)
{
	UInt n = 0;

	unfolding->cells =
		VG_(malloc)("costgrind.cells", (graph->n_costs + 1) * sizeof(struct cell));
	for (UInt i = 0; i < graph->n_costs; i++) {
		struct cost *cost = &graph->costs[i];
		const struct inlined_part *part;

		if (cost->site->scope->inlined == NOT_INLINED)
			continue;
		part = part_of(unfolding, cost->cell->context, cost->site);
		unfolding->cells[n] = *cost->cell;
		unfolding->cells[n].context = part->context;
		cost->cell = &unfolding->cells[n++];
		if (part->skipped)
			cost->site = move_site(unfolding, cost->site, part);
	}
}

static struct arc *new_arc(struct inline_unfolding *unfolding)
{
	SizeT n_words = arc_size(&tool_calls.arcs) / sizeof(ULong);

	return (struct arc *)(unfolding->new_arcs + unfolding->n_new_arcs++ * n_words);
}

static void move_arc(struct inline_unfolding *unfolding, struct arc **arc)
{
	struct inlined_part *part = part_of(unfolding, (*arc)->ends.from, (*arc)->ends.site);
	struct arc *moved = new_arc(unfolding);

	VG_(memcpy)(moved, *arc, arc_size(&tool_calls.arcs));
	moved->ends.from = part->context;
	if (part->skipped)
		moved->ends.site = move_site(unfolding, moved->ends.site, part);
	*arc = moved;
}

/* The line at which an instruction of a part is in that part's function. */
static UInt line_in(const struct inlinees *inlinees, const struct inlined_part *part,
		    const struct site *site)
{
	const struct inlinee *at = inlinees_by_number(inlinees, site->scope->inlined);
	UInt line = site->line;

	for (; at != NULL && at != part->inlinee; at = at->parent)
		line = at->call_line;
	return line;
}

/* The call of a part, which is not skipped. */
static struct arc *call_part(struct inline_unfolding *unfolding, struct inlined_part *part)
{
	static const HChar unknown[] = "???";
	const struct inlinee *inlinee = part->inlinee;
	struct arc *arc = new_arc(unfolding);
	const struct inlined_part *caller;

	part->target = *part->first;
	copy_site(&part->site, &part->scope, part->first);
	part->scope.file = inlinee->call_file;
	part->site.line = inlinee->call_line;
	caller = written_part(part->parent, &part->site, &part->scope);
	if (VG_(strcmp)(part->scope.file->chars, unknown) == 0)
		part->scope.file = caller->context->function->file;
	part->target.line = line_in(&tool_symbols.inlinees, part, part->first);
	*arc = (struct arc){
		.ends = {
			.from = caller->context,
			.site = &part->site,
			.to = part->context,
			.entered = part->context->function,
		},
		.target = &part->target,
		.count = part->n_calls != 0 ? part->n_calls : 1, /* readers divide by it */
	};
	for (UInt i = 0; i < tool_counts.events.n_kept; i++)
		arc->costs[i] = event_kept_of(&tool_counts.events, part->costs, i);
	return arc;
}

static void move_arcs(struct inline_unfolding *unfolding, struct graph *graph)
{
	UInt n_all = graph->n_arcs + unfolding->n_calls;

	if (n_all == 0)
		return;
	unfolding->new_arcs = VG_(malloc)("costgrind.new_arcs", n_all * arc_size(&tool_calls.arcs));
	graph->arcs = VG_(realloc)("costgrind.arcs", graph->arcs, n_all * sizeof(struct arc *));
	for (UInt i = 0; i < graph->n_arcs; i++)
		if (graph->arcs[i]->ends.site->scope->inlined != NOT_INLINED)
			move_arc(unfolding, &graph->arcs[i]);
	for (struct inlined_part *part = unfolding->newest_part; part != NULL; part = part->older)
		if (part->inlinee != NULL && !part->skipped)
			graph->arcs[graph->n_arcs++] = call_part(unfolding, part);
}

/* Jumps into an inlined function, and out of it, are the call of it and the return. */
static void move_jumps(struct inline_unfolding *unfolding, struct graph *graph)
{
	UInt n = 0;

	if (!tool_instrument.options.collect_jumps) {
		graph->n_jumps = 0; /* they were counted for flow.h */
		return;
	}
	unfolding->jumps =
		VG_(malloc)("costgrind.jumps", (graph->n_jumps + 1) * sizeof(struct jump_count));
	for (UInt i = 0; i < graph->n_jumps; i++) {
		struct jump_count *count = graph->jumps[i];
		const struct site *site = count->jump->site;
		const struct inlined_part *part;

		if (site->scope->inlined != count->jump->target.inlined)
			continue;
		if (site->scope->inlined != NOT_INLINED) {
			part = part_of(unfolding, count->context, site);
			if (part->skipped)
				continue;
			unfolding->jumps[n] = *count;
			unfolding->jumps[n].context = part->context;
			count = &unfolding->jumps[n];
		}
		graph->jumps[n++] = count;
	}
	graph->n_jumps = n;
}

static void sort_again(struct graph *graph)
{
	Bool by_address = tool_output.options.dump_instr;

	symbols_rank(&tool_symbols);
	contexts_rank(&tool_counts.contexts);
	costs_sort(graph->costs, graph->n_costs, by_address);
	arcs_sort(graph->arcs, graph->n_arcs, by_address);
	jumps_sort(graph->jumps, graph->n_jumps, by_address);
}

struct inline_unfolding *unfold(struct graph *graph)
{
	struct inline_unfolding *unfolding =
		VG_(calloc)("costgrind.unfolding", 1, sizeof(*unfolding));

	unfolding->parts = VG_(HT_construct)("costgrind.parts");
	unfolding->known = VG_(HT_construct)("costgrind.known");
	know_all(unfolding);
	make_parts(unfolding, graph);
	count_calls(unfolding, graph);
	move_costs(unfolding, graph);
	move_arcs(unfolding, graph);
	move_jumps(unfolding, graph);
	sort_again(graph);
	return unfolding;
}

static void free_if_any(void *memory)
{
	if (memory != NULL)
		VG_(free)(memory);
}

void unfolding_free(struct inline_unfolding *unfolding)
{
	struct moved_site *moved = unfolding->newest_moved;

	VG_(HT_destruct)(unfolding->parts, VG_(free));
	VG_(HT_destruct)(unfolding->known, VG_(free));
	while (moved != NULL) {
		struct moved_site *older = moved->older;

		VG_(free)(moved);
		moved = older;
	}
	VG_(free)(unfolding->cells);
	free_if_any(unfolding->jumps);
	free_if_any(unfolding->new_arcs);
	VG_(free)(unfolding);
}
