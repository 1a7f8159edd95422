/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unfolding a graph: inlined functions become calls.  How often one was called is not counted when the program runs, so it
 * is derived from the flow of control (the first half of this file).
 *
 * A *part* is what one inlinee (tool/symbols/symbol.h) did in one context of the function around it: "b in a in f,
 * called by main".  In the profile it is in a context of b's, as if a had called it.  It may share that context with other
 * parts, wherever else b was inlined, and with b's own code.
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
#include "tool/common/numbers.h"
#include "tool/counts/context.h"
#include "tool/counts/state.h"
#include "tool/instrument/state.h"
#include "tool/output/state.h"
#include "tool/symbols/symbol.h"

/* --- flow of control ------------------------------------------------------------------------
 *
 * The flow of control in a function, in one context, as far as counts tell: how often each instruction was executed, and how
 * often each jump was taken (--collect-jumps).
 *
 * A *block* is code without a break: control came in only at its first instruction, and left only after its last.  It
 * ends before the target of a jump, after a jump, and where counts change (after a call that did not always come back).  Calls
 * are no break: control comes back to the instruction after them.
 */

enum flow_visit {
	FLOW_UNKNOWN,
	FLOW_ACTIVE, /* on the path that is being followed */
	FLOW_KNOWN,
};

struct flow_insn {
	const struct site *site;
	ULong executions; /* of a rep instruction, of the whole */
	ULong came, went; /* jumps to it, and from it */
	UInt n_targets;   /* of its unconditional jumps */
	Bool begins;      /* it begins a block */
	UInt block;       /* the block that it is in */
};

/* Instructions first to last, which are adjacent. */
struct flow_block {
	UInt first, last;
	ULong executions;
	UInt first_edge;         /* edges from here go up to the next block's first_edge */
	enum flow_visit visited; /* by look_from() */
};

/* From the last instruction of a block to the first of another, or of the same one. */
struct flow_edge {
	UInt from, to; /* blocks */
	ULong count;   /* 1 or more */
	Bool back;     /* to a block on the path from the function's entry: a loop */
};

/* By address; without instructions that were not executed. */
struct flow {
	struct flow_insn *insns;
	struct flow_block *blocks; /* and an empty one after them */
	struct flow_edge *edges;   /* by from, then by to */
	UInt n_insns, n_blocks, n_edges;
};

/* Number of instructions of skipped code that are counted in the cell of its call. */
struct skipped_code {
	struct skipped_code *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	const struct context *owner;
	const struct site *site;
	ULong n;
};

/* True if a block ends in a jump with a computed target. */
static Bool flow_is_computed(const struct flow *flow, const struct flow_block *block)
{
	return flow->insns[block->last].n_targets > 1;
}

/* --- skipped code ------------------------------------------------------------------------ */

static UWord skipped_key(const struct context *owner, const struct site *site)
{
	return (Addr)owner * 31 + (Addr)site;
}

static Word skipped_compare(const void *a, const void *b)
{
	const struct skipped_code *left = a, *right = b;

	return left->owner != right->owner || left->site != right->site;
}

static struct skipped_code *find_skipped(const VgHashTable *skipped, const struct context *owner,
					 const struct site *site)
{
	const struct skipped_code wanted = {
		.key = skipped_key(owner, site),
		.owner = owner,
		.site = site,
	};

	return VG_(HT_gen_lookup)(skipped, &wanted, skipped_compare);
}

/* Skipped code of all contexts; VG_(HT_destruct)(, VG_(free)) frees it. */
static VgHashTable *flow_skipped(void)
{
	VgHashTable *skipped = VG_(HT_construct)("costgrind.skipped");
	const struct context *context;

	VG_(HT_ResetIter)(tool_counts.contexts.table);
	while ((context = VG_(HT_Next)(tool_counts.contexts.table)) != NULL) {
		struct skipped_code *code;

		if (context->n_skipped == 0)
			continue;
		code = find_skipped(skipped, context->owner, context->owner_site);
		if (code == NULL) {
			code = VG_(malloc)("costgrind.skipped_code", sizeof(*code));
			*code = (struct skipped_code){
				.key = skipped_key(context->owner, context->owner_site),
				.owner = context->owner,
				.site = context->owner_site,
			};
			VG_(HT_add_node)(skipped, code);
		}
		code->n += context->n_skipped;
	}
	return skipped;
}

/* --- instructions ------------------------------------------------------------------------ */

static ULong at_most(ULong n, ULong most)
{
	return n < most ? n : most;
}

/* a - b, but no less than 0. */
static ULong less(ULong a, ULong b)
{
	return a > b ? a - b : 0;
}

/* Different code may have been at one address in turn; then sizes or lines differ. */
static Int insn_order(const void *a, const void *b)
{
	const struct site *left = ((const struct flow_insn *)a)->site;
	const struct site *right = ((const struct flow_insn *)b)->site;
	Int order = by_number(left->address, right->address);

	if (order == 0)
		order = by_number(left->size, right->size);
	return order != 0 ? order : by_number(left->line, right->line);
}

static void take_insns(struct flow *flow, const struct cost *costs, UInt n,
		       const VgHashTable *skipped)
{
	for (UInt i = 0; i < n; i++) {
		const struct cost *cost = &costs[i];
		const struct skipped_code *code =
			find_skipped(skipped, cost->cell->context, cost->site);
		ULong counts[N_EVENTS] = { 0 };
		ULong executions;

		cell_sum(&tool_counts.sites, cost->cell, counts);
		executions = less(counts[EVENT_IR], code != NULL ? code->n : 0);
		if (executions != 0)
			flow->insns[flow->n_insns++] = (struct flow_insn){
				.site = cost->site,
				.executions = executions,
			};
	}
	VG_(ssort)(flow->insns, flow->n_insns, sizeof(*flow->insns), insn_order);
}

/* The first instruction at an address, NULL if there is none. */
static struct flow_insn *insn_at(const struct flow *flow, Addr address)
{
	UInt low = 0, end = flow->n_insns;

	while (low < end) {
		UInt middle = low + (end - low) / 2;

		if (flow->insns[middle].site->address < address)
			low = middle + 1;
		else
			end = middle;
	}
	return low < flow->n_insns && flow->insns[low].site->address == address ? &flow->insns[low]
										: NULL;
}

/* The target of a jump in memory; its distance from the source is as in the object file. */
static Addr target_of(const struct jump_edge *jump)
{
	return jump->site->address + (jump->target.address - site_place(jump->site).address);
}

/* Finds both ends of a jump; false if one was not executed. */
static Bool find_ends(const struct flow *flow, const struct jump_count *count,
		      struct flow_insn **from, struct flow_insn **to)
{
	*from = insn_at(flow, count->jump->site->address);
	*to = insn_at(flow, target_of(count->jump));
	return *from != NULL && *to != NULL && count->taken != 0;
}

static void take_jumps(struct flow *flow, struct jump_count *const *jumps, UInt n)
{
	for (UInt i = 0; i < n; i++) {
		struct flow_insn *from, *to;

		if (!find_ends(flow, jumps[i], &from, &to))
			continue;
		from->went += jumps[i]->taken;
		from->n_targets += !jumps[i]->jump->conditional;
		to->came += jumps[i]->taken;
		to->begins = True;
	}
}

/* True if an instruction directly follows the one before it in the list. */
static Bool follows(const struct flow *flow, UInt i)
{
	const struct site *before = i != 0 ? flow->insns[i - 1].site : NULL;

	return before != NULL && before->address + before->size == flow->insns[i].site->address;
}

/* How often control passed to an instruction from the one before it, without a jump. */
static ULong passed_on(const struct flow *flow, UInt i)
{
	const struct flow_insn *insn = &flow->insns[i];

	if (!follows(flow, i))
		return 0;
	return at_most(less(insn[-1].executions, insn[-1].went),
		       less(insn->executions, insn->came));
}

/*
 * For a rep instruction, rounds were counted.  It is executed as often as control comes to it.  If that is unknown, since a
 * function begins with it, it is executed as often as control leaves it, which is to the next instruction only.
 */
static void correct_repeated(struct flow *flow)
{
	for (UInt i = 0; i < flow->n_insns; i++) {
		struct flow_insn *insn = &flow->insns[i];

		if (insn->site->repeats && follows(flow, i))
			insn->executions = insn->came + passed_on(flow, i);
	}
	for (UInt i = flow->n_insns; i-- > 0;) {
		struct flow_insn *insn = &flow->insns[i];

		if (!insn->site->repeats || follows(flow, i))
			continue;
		if (i + 1 < flow->n_insns && follows(flow, i + 1))
			insn->executions =
				at_most(insn->executions, less(insn[1].executions, insn[1].came));
		else
			insn->executions = 1;
	}
}

/* --- blocks and edges -------------------------------------------------------------------- */

static void make_blocks(struct flow *flow)
{
	for (UInt i = 0; i < flow->n_insns; i++) {
		struct flow_insn *insn = &flow->insns[i];

		if (insn->begins || !follows(flow, i) || insn[-1].went != 0 ||
		    insn[-1].executions != insn->executions)
			flow->blocks[flow->n_blocks++] = (struct flow_block){
				.first = i,
				.executions = insn->executions,
			};
		insn->block = flow->n_blocks - 1;
		flow->blocks[insn->block].last = i;
	}
}

static void add_edge(struct flow *flow, UInt from, UInt to, ULong count)
{
	if (count != 0)
		flow->edges[flow->n_edges++] = (struct flow_edge){ from, to, count, False };
}

static void make_edges(struct flow *flow, struct jump_count *const *jumps, UInt n)
{
	for (UInt i = 1; i < flow->n_blocks; i++)
		add_edge(flow, i - 1, i, passed_on(flow, flow->blocks[i].first));
	for (UInt i = 0; i < n; i++) {
		struct flow_insn *from, *to;

		if (find_ends(flow, jumps[i], &from, &to))
			add_edge(flow, from->block, to->block, jumps[i]->taken);
	}
}

static Int edge_order(const void *a, const void *b)
{
	const struct flow_edge *left = a, *right = b;
	Int order = by_number(left->from, right->from);

	if (order == 0)
		order = by_number(left->to, right->to);
	return order != 0 ? order : by_number(left->count, right->count);
}

static void sort_edges(struct flow *flow)
{
	UInt n = 0;

	VG_(ssort)(flow->edges, flow->n_edges, sizeof(*flow->edges), edge_order);
	for (UInt i = 0; i <= flow->n_blocks; i++) {
		flow->blocks[i].first_edge = n;
		while (n < flow->n_edges && flow->edges[n].from == i)
			n++;
	}
}

/* --- loops ------------------------------------------------------------------------------- */

/*
 * Depth first: an edge to a block that is on the path to its own goes back.  path has room for all blocks, and next for the
 * next edge of each.
 */
static void look_from(struct flow *flow, UInt root, UInt *path, UInt *next)
{
	UInt depth = 0;

	if (flow->blocks[root].visited != FLOW_UNKNOWN)
		return;
	path[depth++] = root;
	flow->blocks[root].visited = FLOW_ACTIVE;
	next[root] = flow->blocks[root].first_edge;
	while (depth != 0) {
		UInt at = path[depth - 1];
		struct flow_edge *edge;
		struct flow_block *to;

		if (next[at] == flow->blocks[at + 1].first_edge) {
			flow->blocks[at].visited = FLOW_KNOWN;
			depth--;
			continue;
		}
		edge = &flow->edges[next[at]++];
		to = &flow->blocks[edge->to];
		edge->back = to->visited == FLOW_ACTIVE;
		if (to->visited != FLOW_UNKNOWN)
			continue;
		to->visited = FLOW_ACTIVE;
		next[edge->to] = to->first_edge;
		path[depth++] = edge->to;
	}
}

/* From the entry first, then from blocks that were not reached: entered while nothing was collected, say. */
static void find_loops(struct flow *flow, const struct function *function)
{
	UInt *path =
		VG_(malloc)("costgrind.flow_path", 2 * ((SizeT)flow->n_blocks + 1) * sizeof(UInt));
	UInt *next = path + flow->n_blocks;

	for (UInt i = 0; i < flow->n_blocks; i++) {
		const struct source_location place =
			site_place(flow->insns[flow->blocks[i].first].site);

		if (place.function == function && place.address == function->entry)
			look_from(flow, i, path, next);
	}
	for (UInt i = 0; i < flow->n_blocks; i++)
		look_from(flow, i, path, next);
	VG_(free)(path);
}

/*
 * Finds the flow in a context of n costs (1 or more); costs and jumps are all of that context, and borrowed for the call.
 * flow_free() frees it.
 */
static void flow_make(struct flow *flow, const struct cost *costs, UInt n,
		      struct jump_count *const *jumps, UInt n_jumps, const VgHashTable *skipped)
{
	*flow = (struct flow){ .n_insns = 0 };
	flow->insns = VG_(malloc)("costgrind.flow_insns", n * sizeof(*flow->insns));
	flow->blocks = VG_(malloc)("costgrind.flow_blocks", ((SizeT)n + 1) * sizeof(*flow->blocks));
	flow->edges =
		VG_(malloc)("costgrind.flow_edges", ((SizeT)n + n_jumps) * sizeof(*flow->edges));
	take_insns(flow, costs, n, skipped);
	take_jumps(flow, jumps, n_jumps);
	correct_repeated(flow);
	make_blocks(flow);
	make_edges(flow, jumps, n_jumps);
	sort_edges(flow);
	find_loops(flow, costs[0].cell->context->function);
}

static void flow_free(struct flow *flow)
{
	VG_(free)(flow->insns);
	VG_(free)(flow->blocks);
	VG_(free)(flow->edges);
}

/* --- types of unfolding ------------------------------------------------------------------ */

/* A part.  key is made of its inlinee and the context around it. */
struct inlined_part {
	struct inlined_part *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct context *around;        /* counted in this one */
	const struct inlinee *inlinee; /* NULL: what is not inlined there */
	struct inlined_part *parent;   /* NULL only if inlinee is */
	struct inlined_part *older;    /* made before this one */
	struct context *context;       /* written in this one */
	Bool skipped;                  /* it is written as a part of its parent */
	ULong costs[N_EVENTS];         /* with all that it calls */
	const struct site *first;      /* NULL at first */
	ULong n_calls;
	ULong mark;               /* the last block or edge that marked it */
	struct site site, target; /* of its call */
	struct scope scope;       /* the site's */
};

/* A function by what the profile shows of it: object, file and name. */
struct known {
	struct known *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct function *function;
};

/* A site of code that is written as if it were elsewhere. */
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
	ULong *new_arcs; /* arcs that were not counted in this form, one after the other */
	UInt n_new_arcs;
	struct jump_count *jumps;
	ULong last_mark;
};

/* --- functions --------------------------------------------------------------------------- */

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
 * All functions that have code of their own: an inlined one that looks the same is the same function.  If several look the
 * same, it is the first one.
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

/* --- parts ------------------------------------------------------------------------------- */

/* The level of recursion: the level of the function around it, plus 1 for each time that it is active already. */
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

/* The context of a function that is a part. */
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

/* The part that a site belongs to in a context. */
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

/* --- what they cost ---------------------------------------------------------------------- */

/* Orders two instructions of a part, cold code last: it may lie before the rest. */
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

/* --- how often they were called ---------------------------------------------------------- */

/* The part of each instruction of a flow; NULL: not inlined. */
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

/* Each execution of a block counts as a call of all parts that it has instructions of. */
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

/* True if a part, or NULL, is inlined in another, or is that one. */
static Bool is_within(const struct inlined_part *part, const struct inlined_part *outer)
{
	while (part != NULL && part != outer)
		part = part->parent;
	return part != NULL;
}

/*
 * Control passed from one block to another.  A part that is in both goes on, and was not called again, unless a loop around it
 * began its next round: compilers mix a function's instructions with the code around it, and move them, above all in
 * front of loops.  A loop is the part's own if its code went back to its own code.  After a computed jump of the code around it the part begins
 * again: that is a switch or an interpreter, where each case may have a copy.
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

/* --- the graph --------------------------------------------------------------------------- */

/* The part that something in a part is written in; site and scope, which is the site's own, become its place there. */
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

/* Copies a site, with a scope of its own. */
static void copy_site(struct site *site, struct scope *scope, const struct site *from)
{
	*site = *from;
	*scope = *from->scope;
	site->scope = scope;
}

/* Copies the site of something in a skipped part, moved to where it is written. */
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

/* The line of an instruction of a part in that part's function. */
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
		graph->n_jumps = 0; /* they were counted for the flow only */
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
