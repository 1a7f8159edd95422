/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/output/flow.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"

#include "tool/common/ordering.h"
#include "tool/counts/context.h"
#include "tool/counts/state.h"

/* --- skipped code -------------------------------------------------------------------- */

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

VgHashTable *flow_skipped(void)
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

/* --- instructions -------------------------------------------------------------------- */

static ULong at_most(ULong n, ULong most)
{
	return n < most ? n : most;
}

/* a - b, but no less than 0. */
static ULong less(ULong a, ULong b)
{
	return a > b ? a - b : 0;
}

/* Where other code came to stand at an address, sizes and places differ. */
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

/* Where the jump went in the running program: what it is in, it is in as a whole. */
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

/* Whether an instruction stands right behind the one before it in the list. */
static Bool is_behind(const struct flow *flow, UInt i)
{
	const struct site *before = i != 0 ? flow->insns[i - 1].site : NULL;

	return before != NULL && before->address + before->size == flow->insns[i].site->address;
}

/* How often control went on to an instruction from the one before it, without a jump. */
static ULong passed_on(const struct flow *flow, UInt i)
{
	const struct flow_insn *insn = &flow->insns[i];

	if (!is_behind(flow, i))
		return 0;
	return at_most(less(insn[-1].executions, insn[-1].went),
		       less(insn->executions, insn->came));
}

/*
 * Of a rep instruction, rounds were counted.  It is executed as often as control comes to
 * it; if that is not known, since a function begins with it, as control leaves it, which is to
 * the next instruction only.
 */
static void correct_repeated(struct flow *flow)
{
	for (UInt i = 0; i < flow->n_insns; i++) {
		struct flow_insn *insn = &flow->insns[i];

		if (insn->site->repeats && is_behind(flow, i))
			insn->executions = insn->came + passed_on(flow, i);
	}
	for (UInt i = flow->n_insns; i-- > 0;) {
		struct flow_insn *insn = &flow->insns[i];

		if (!insn->site->repeats || is_behind(flow, i))
			continue;
		if (i + 1 < flow->n_insns && is_behind(flow, i + 1))
			insn->executions =
				at_most(insn->executions, less(insn[1].executions, insn[1].came));
		else
			insn->executions = 1;
	}
}

/* --- blocks and edges ---------------------------------------------------------------- */

static void make_blocks(struct flow *flow)
{
	for (UInt i = 0; i < flow->n_insns; i++) {
		struct flow_insn *insn = &flow->insns[i];

		if (insn->begins || !is_behind(flow, i) || insn[-1].went != 0 ||
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

/* --- loops --------------------------------------------------------------------------- */

/*
 * Depth first: an edge to a block that is on the way to its own goes back.  path has room for all
 * blocks, and next for the next edge of each to look at.
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

/* From the entry first, then from what was not reached: it was entered while nothing was collected, or otherwise. */
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

void flow_make(struct flow *flow, const struct cost *costs, UInt n, struct jump_count *const *jumps,
	       UInt n_jumps, const VgHashTable *skipped)
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

void flow_free(struct flow *flow)
{
	VG_(free)(flow->insns);
	VG_(free)(flow->blocks);
	VG_(free)(flow->edges);
}
