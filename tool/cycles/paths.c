/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What instructions cost by the path that leads to them. */
#include "tool/cycles/state.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "tool/counts/state.h"

enum {
	MAX_SIZE = 15,      /* bytes of an instruction */
	MAX_BLOCKS = 96,    /* of a path */
	MAX_CRITICAL = 512, /* loads */
	/* Instructions of a critical path; nothing waits for shorter ones. */
	CRITICAL_LENGTH = PATHS_LENGTH / 2,
	RESTART_LENGTH = PATHS_LENGTH / 4, /* instructions from one misprediction to the next */
	TICKS_A_TENTH = CORE_TICKS / 10,
	MOST_TENTHS = 60000, /* of one instruction */
};

struct known_row {
	struct known_row *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	struct instruction_row row;
};

/* An instruction's bytes, and what they are; freed when no block has them. */
struct known_operation {
	struct known_operation *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;
	UWord n_users; /* times that it is in a path */
	UChar bytes[MAX_SIZE];
	UChar size;
	UChar match;
	struct operation operation;
};

struct path {
	struct path *next; /* cppcheck-suppress unusedStructMember ; the hash table's */
	UWord key;         /* address of its first instruction */
	UWord end;         /* address after its last one */
	/* The block that most runs came from, if there is one: a majority vote in one pass (Boyer and Moore). */
	struct path *before;
	UInt votes;
	UInt n, capacity;
	struct known_operation **operations; /* owned */
};

Bool paths_init(struct paths *paths, const struct instructiontable *table,
		const struct core_config *core)
{
	paths->blocks = VG_(HT_construct)("costgrind.paths");
	paths->operations = VG_(HT_construct)("costgrind.operations");
	paths->rows = VG_(HT_construct)("costgrind.rows");
	paths->walk = VG_(calloc)("costgrind.walk", 1, sizeof(*paths->walk));
	core_walk_init(paths->walk, core);
	paths->restarted = VG_(calloc)("costgrind.walk", 1, sizeof(*paths->restarted));
	core_walk_init(paths->restarted, core);
	return operations_init(&paths->decoder, table);
}

/* --- operations -------------------------------------------------------------------------- */

static Word compare_rows(const void *a, const void *b)
{
	const struct known_row *left = a, *right = b;

	if (left->row.uops != right->row.uops || left->row.latency != right->row.latency ||
	    left->row.n_uses != right->row.n_uses)
		return 1;
	for (UInt i = 0; i < left->row.n_uses; i++)
		if (left->row.uses[i].ports != right->row.uses[i].ports ||
		    left->row.uses[i].tenths != right->row.uses[i].tenths)
			return 1;
	return 0;
}

/* The same row, which stays. */
static const struct instruction_row *find_row(struct paths *paths,
					      const struct instruction_row *row)
{
	struct known_row wanted = { .key = row->latency * 256U + row->uops, .row = *row }, *known;

	for (UInt i = 0; i < row->n_uses; i++)
		wanted.key = wanted.key * 31 + row->uses[i].ports * 1024UL + row->uses[i].tenths;
	known = VG_(HT_gen_lookup)(paths->rows, &wanted, compare_rows);
	if (known == NULL) {
		known = VG_(perm_malloc)(sizeof(*known), 8);
		*known = wanted;
		VG_(HT_add_node)(paths->rows, known);
	}
	return &known->row;
}

static Word compare_bytes(const void *a, const void *b)
{
	const struct known_operation *left = a, *right = b;

	return left->size != right->size ||
	       VG_(memcmp)(left->bytes, right->bytes, sizeof(left->bytes)) != 0;
}

/* Programs that write code may keep writing new instructions to the same places. */
static void drop_operation(struct paths *paths, struct known_operation *known)
{
	if (--known->n_users != 0)
		return;
	VG_(HT_gen_remove)(paths->operations, known, compare_bytes);
	VG_(free)(known);
}

/* Valgrind's client requests are longer than any instruction of the processor. */
static struct known_operation *find_operation(struct paths *paths, Addr address, UInt size)
{
	struct known_operation wanted = { .size = (UChar)size }, *known;
	const UInt n_bytes = size < MAX_SIZE ? size : MAX_SIZE;
	struct instruction_row row;
	UWord hash = size;

	VG_(memcpy)(wanted.bytes, (const void *)address, n_bytes);
	for (UInt i = 0; i < n_bytes; i++)
		hash = (hash ^ wanted.bytes[i]) * 0x9e3779b97f4a7c15UL;
	wanted.key = hash >> 16;
	known = VG_(HT_gen_lookup)(paths->operations, &wanted, compare_bytes);
	if (known != NULL)
		return known;
	known = VG_(malloc)("costgrind.operation", sizeof(*known));
	*known = wanted;
	known->match = (UChar)operations_decode(&paths->decoder, wanted.bytes, n_bytes,
						&known->operation, &row);
	known->operation.size = (UChar)size;
	if (known->operation.row != NULL)
		known->operation.row = find_row(paths, &row);
	VG_(HT_add_node)(paths->operations, known);
	return known;
}

/* --- blocks ------------------------------------------------------------------------------ */

static struct path *find_path(struct paths *paths, Addr address)
{
	struct path *path = VG_(HT_lookup)(paths->blocks, address);

	if (path != NULL)
		return path;
	path = VG_(perm_malloc)(sizeof(*path), 8);
	*path = (struct path){ .key = address };
	VG_(HT_add_node)(paths->blocks, path);
	return path;
}

/* Code may have changed since the last time: the old operations are dropped. */
static void set_operations(struct paths *paths, struct path *path,
			   const struct path_instruction *instructions, UInt n)
{
	const UInt n_before = path->n;

	if (path->capacity < n) {
		path->operations = VG_(realloc)("costgrind.path", path->operations,
						n * sizeof(path->operations[0]));
		path->capacity = n;
	}
	for (UInt i = 0; i < n; i++) {
		struct known_operation *known =
			find_operation(paths, instructions[i].address, instructions[i].size);

		known->n_users++;
		if (i < n_before)
			drop_operation(paths, path->operations[i]);
		path->operations[i] = known;
	}
	for (UInt i = n; i < n_before; i++)
		drop_operation(paths, path->operations[i]);
	path->n = n;
	path->end = instructions[n - 1].address + instructions[n - 1].size;
}

struct path *paths_before(void)
{
	const struct block *block =
		blocks_by_number(&tool_counts.blocks, (UInt)tool_counts.hot->block);

	return block == NULL ? NULL : block->path;
}

void paths_follow(struct path *path, struct path *before)
{
	if (before == NULL)
		return;
	if (path->before == before) {
		path->votes++;
	} else if (path->votes == 0) {
		path->before = before;
		path->votes = 1;
	} else {
		path->votes--;
	}
}

/* --- weights ----------------------------------------------------------------------------- */

/* Ticks that do not make a full tenth are owed to the next instruction. */
static UShort take_tenths(UInt ticks, Int *owed)
{
	Int tenths;

	*owed += (Int)ticks;
	tenths = (*owed + TICKS_A_TENTH / 2) / TICKS_A_TENTH;
	if (tenths > MOST_TENTHS)
		tenths = MOST_TENTHS;
	*owed -= tenths * TICKS_A_TENTH;
	return (UShort)tenths;
}

/* A user's machine may have absurd numbers. */
static UShort clamped(ULong tenths)
{
	return (UShort)(tenths < 65535 ? tenths : 65535);
}

/*
 * What a misprediction costs that is detected this many ticks later than its branch costs on its path, or earlier if
 * negative: the core refills from then on, while instructions before the branch may still execute.
 */
static UShort lost_by(Long later)
{
	const Long penalty = tool_cycles.costs.misprediction, tenths = later / TICKS_A_TENTH;

	return tenths < -penalty
		       ? 0
		       : clamped((ULong)(penalty + (tenths < penalty ? tenths : penalty)));
}

static void weigh(struct path_weight *weight, const struct core_cost *cost,
		  Int owed[N_STATIC_CYCLES])
{
	const UInt parts[N_STATIC_CYCLES] = { cost->base, cost->dependence, cost->front_end };
	for (UInt i = 0; i < N_STATIC_CYCLES; i++)
		weight->cycles[i] = take_tenths(parts[i], &owed[i]);
	weight->lost = lost_by(cost->waited);
	weight->source = cost->source;
	weight->hidden = clamped(tool_cycles.costs.hidden);
	weight->is_critical = False;
}

/* An element of a rep movs or rep stos, which the processor handles many at a time. */
static Bool is_round(Addr address, UInt size)
{
	const UChar *bytes = (const UChar *)address;

	return size >= 2 && (bytes[0] == 0xf3 || bytes[0] == 0xf2) &&
	       ((bytes[size - 1] & 0xfe) == 0xa4 || (bytes[size - 1] & 0xfe) == 0xaa) &&
	       (size == 2 || (size == 3 && (bytes[1] & 0xf0) == 0x40));
}

/* What each instruction takes alone. */
static void weigh_cold(struct paths *paths, const struct path *path)
{
	Int owed[N_STATIC_CYCLES] = { 0 };

	for (UInt i = 0; i < path->n; i++) {
		const struct core_cost cost = {
			.base = core_cost_alone(paths->walk->config,
						&path->operations[i]->operation),
		};

		weigh(&paths->weights[i], &cost, owed);
	}
}

/*
 * What can go on while a load or store of a block waits: as many instructions as fit into the reorder buffer, at the pace of
 * this path, but no faster than the core is wide, and at most a cycle each, since a scheduler does not
 * hold that many waiting ones.
 */
static UShort find_hidden(const struct core_walk *walk)
{
	const ULong reorder = tool_cycles.costs.reorder;
	const ULong hidden = walk->n_operations == 0
				     ? 0
				     : walk->retired * reorder / walk->n_operations / TICKS_A_TENTH;
	const ULong least = tool_cycles.costs.hidden, most = reorder * 10;

	return clamped(hidden < least ? least : hidden > most ? most : hidden);
}

/*
 * True if a load on the critical path leads from each round to the next.  One that occurs once only is either at the
 * path's end, where nothing waits for it, or before the first round.
 */
static Bool is_critical(const uint64_t *tags, UInt n, Addr load)
{
	UInt times = 0;

	for (UInt i = 0; i < n && times < 2; i++)
		times += tags[i] == load;
	return times == 2;
}

static void mark_critical(struct paths *paths, const struct path *path)
{
	static uint64_t tags[MAX_CRITICAL];
	const UInt n = core_walk_critical(paths->walk, CRITICAL_LENGTH, tags, MAX_CRITICAL);
	const UShort hidden = find_hidden(paths->walk);
	Addr address = path->key;

	for (UInt i = 0; i < path->n; i++) {
		paths->weights[i].hidden = hidden;
		paths->weights[i].is_critical = is_critical(tags, n, address);
		address += path->operations[i]->operation.size;
	}
}

/*
 * The number of last blocks of a path that the restarted walk walks too: the core starts again after the block before
 * them, as if a misprediction at its end had been resolved.
 */
static UInt find_restart(const struct path *path, const struct path *const *way, UInt n_blocks)
{
	UInt n = 0;

	for (UInt i = 0; i < n_blocks; i++) {
		if (way[i] == path)
			return i;
		n += way[i]->n;
		if (n >= RESTART_LENGTH)
			return i + 1;
	}
	return n_blocks;
}

static void walk_block(struct core_walk *walk, const struct path *path, const struct path *before)
{
	Addr address = path->key;

	for (UInt i = 0; i < path->n; i++) {
		const Bool jumped = i == 0 && before != NULL && before->end != path->key;

		core_walk_step(walk, &path->operations[i]->operation, address, jumped, address,
			       NULL);
		address += path->operations[i]->operation.size;
	}
}

/* Walks the path to a block, and then the block. */
static void weigh_hot(struct paths *paths, const struct path *path)
{
	const struct path *way[MAX_BLOCKS];
	UInt n_blocks = 0, n_instructions = 0, restart;
	ULong begun = 0;
	Int owed[N_STATIC_CYCLES] = { 0 };
	Addr address = path->key;

	for (const struct path *at = path->before;
	     at != NULL && n_blocks < MAX_BLOCKS && n_instructions < PATHS_LENGTH;
	     at = at->before) {
		way[n_blocks++] = at;
		n_instructions += at->n;
	}
	restart = find_restart(path, way, n_blocks);
	core_walk_begin(paths->walk);
	core_walk_begin(paths->restarted);
	for (UInt i = n_blocks; i > 0; i--) {
		const struct path *before = i < n_blocks ? way[i] : NULL;

		walk_block(paths->walk, way[i - 1], before);
		if (i > restart)
			begun = paths->walk->retired;
		else
			walk_block(paths->restarted, way[i - 1], before);
	}
	for (UInt i = 0; i < path->n; i++) {
		const Bool jumped = i == 0 && n_blocks > 0 && way[0]->end != path->key;
		struct core_cost cost, anew;

		core_walk_step(paths->walk, &path->operations[i]->operation, address, jumped,
			       address, &cost);
		core_walk_step(paths->restarted, &path->operations[i]->operation, address, jumped,
			       address, &anew);
		weigh(&paths->weights[i], &cost, owed);
		if (restart < n_blocks)
			paths->weights[i].lost =
				lost_by((Long)anew.done - (Long)(paths->walk->retired - begun));
		address += path->operations[i]->operation.size;
	}
	mark_critical(paths, path);
}

/* Elements of rep instructions: a tenth of a cycle for each byte is more than the fastest processors need. */
static void weigh_rounds(struct paths *paths, const struct path *path,
			 const struct path_instruction *instructions)
{
	for (UInt i = 0; i < path->n; i++)
		if (is_round(instructions[i].address, instructions[i].size)) {
			const struct operation *operation = &path->operations[i]->operation;

			paths->weights[i].cycles[0] = operation->place.size > 4 ? 3 : 1;
			paths->weights[i].cycles[1] = 0;
			paths->weights[i].cycles[2] = 0;
		}
}

/* An unscaled index without a base is as good as a base.  With both, either could be the pointer. */
static Int find_displacement(const struct operation *operation)
{
	const struct operation_place *place = &operation->place;
	const Bool has_base = place->base != CORE_NO_REGISTER;
	const Bool has_index = place->index != CORE_NO_REGISTER;

	if ((!operation->loads && !operation->stores) || has_base == has_index ||
	    (has_index && place->scale != 1))
		return REFERENCE_NONE;
	return place->displacement;
}

/* The instructions of a superblock, the first PATHS_MAX_INSTRUCTIONS; returns how many. */
static UInt list_instructions(const IRSB *sb, struct path_instruction *instructions)
{
	UInt n = 0;

	for (Int i = 0; i < sb->stmts_used && n < PATHS_MAX_INSTRUCTIONS; i++) {
		const IRStmt *stmt = sb->stmts[i];

		if (stmt->tag == Ist_IMark)
			instructions[n++] = (struct path_instruction){
				(Addr)stmt->Ist.IMark.addr + stmt->Ist.IMark.delta,
				stmt->Ist.IMark.len != 0 ? stmt->Ist.IMark.len : VG_MIN_INSTR_SZB,
			};
	}
	return n;
}

const struct path_weight *paths_weigh(const IRSB *sb, Bool cold, struct path **of_block)
{
	static struct path_instruction instructions[PATHS_MAX_INSTRUCTIONS];
	struct paths *paths = &tool_cycles.paths;
	struct path *path;
	UInt n;

	if (!tool_cycles.is_on)
		return NULL;
	n = list_instructions(sb, instructions);
	path = find_path(paths, instructions[0].address);
	set_operations(paths, path, instructions, n);
	if (cold) {
		weigh_cold(paths, path);
	} else {
		if (path->before == NULL)
			paths_follow(path, paths_before());
		weigh_hot(paths, path);
	}
	weigh_rounds(paths, path, instructions);
	for (UInt i = 0; i < n; i++) {
		paths->weights[i].match = path->operations[i]->match;
		paths->weights[i].displacement = find_displacement(&path->operations[i]->operation);
	}
	*of_block = path;
	return paths->weights;
}
