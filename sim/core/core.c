/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/core/core.h"

enum {
	TENTHS = 10, /* of a cycle, in which a table has uses of ports */
};

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

void core_walk_init(struct core_walk *walk, const struct core_config *config)
{
	walk->config = config;
}

void core_walk_begin(struct core_walk *walk)
{
	walk->fetched = 0;
	walk->window = UINT64_MAX;
	walk->dispatched = 0;
	walk->retired = 0;
	walk->n_operations = 0;
	walk->was_call = false;
	walk->may_fuse = false;
	walk->n_stores = 0;
	walk->n_loads = 0;
	for (unsigned i = 0; i < CORE_LOADS; i++)
		walk->loads[i] = (struct core_store){ .scale = UINT8_MAX };
	for (unsigned i = 0; i < N_CORE_REGISTERS; i++) {
		walk->ready[i] = 0;
		walk->source[i] = 0;
		walk->writer[i] = 0;
	}
	for (unsigned i = 0; i < N_CORE_GENERAL; i++) {
		walk->values[i] = i + 1;
		walk->offsets[i] = 0;
	}
	walk->n_values = N_CORE_GENERAL;
	for (unsigned i = 0; i < CORE_JUMPS; i++)
		walk->jumps[i] = 0;
	for (unsigned i = 0; i < CORE_QUEUE; i++)
		walk->queue[i] = 0;
	for (unsigned i = 0; i < INSTRUCTION_MAX_PORTS; i++)
		walk->busy_until[i] = 0;
}

/* --- registers ---------------------------------------------------------------------------- */

/* Something that is waited for. */
struct wait {
	uint64_t until;
	uint64_t source; /* where what came last, of what comes from a load, comes from; 0: nothing does */
	uint32_t by; /* the operation, from 1, whose result came last; 0: none was waited for */
};

/* For all registers of a set, not before at. */
static struct wait wait_for(const struct core_walk *walk, uint64_t registers, uint64_t at)
{
	struct wait wait = { .until = at };
	uint64_t last = 0;

	for (; registers != 0; registers &= registers - 1) {
		const unsigned i = (unsigned)__builtin_ctzll(registers);

		if (walk->source[i] != 0 && walk->ready[i] >= last) {
			last = walk->ready[i];
			wait.source = walk->source[i];
		}
		if (walk->ready[i] > wait.until) {
			wait.until = walk->ready[i];
			wait.by = walk->writer[i];
		}
	}
	return wait;
}

/* What an operation takes first: its flags. */
static void wait_for_flags(const struct core_walk *walk, const struct operation *operation,
			   struct wait *wait)
{
	const uint64_t until =
		walk->ready[CORE_FLAGS] + (uint64_t)operation->flags_first * CORE_TICKS;

	if (until <= wait->until)
		return;
	wait->until = until;
	wait->by = walk->writer[CORE_FLAGS];
}

static void write_registers(struct core_walk *walk, const struct operation *operation, uint64_t at,
			    uint64_t source)
{
	const int from = operation->copied_to != CORE_NO_REGISTER ? operation->copied_from : 0;
	const uint32_t value = walk->values[from]; /* before it is written: leave writes both */
	const int64_t offset = walk->offsets[from];

	for (uint64_t left = operation->writes; left != 0; left &= left - 1) {
		const unsigned i = (unsigned)__builtin_ctzll(left);

		walk->ready[i] = at;
		walk->source[i] = source;
		walk->writer[i] = (uint32_t)walk->n_operations;
		if (i < N_CORE_GENERAL && (int)i != operation->copied_to) {
			walk->values[i] = ++walk->n_values;
			walk->offsets[i] = 0;
		}
	}
	if (operation->copied_to != CORE_NO_REGISTER) {
		walk->values[operation->copied_to] = value;
		walk->offsets[operation->copied_to] = offset + operation->copied_plus;
	}
}

/* --- memory ------------------------------------------------------------------------------- */

/* True if registers are renamed for what it stores or loads, if the other one says the same place. */
static bool can_be_renamed(const struct operation *operation)
{
	const struct operation_place *place = &operation->place;

	return operation->is_renamed &&
	       (operation->reads | operation->writes) >> CORE_VECTOR == 0 &&
	       (place->size == 4 || place->size == 8) &&
	       (place->base == CORE_NO_REGISTER ||
		(place->displacement >= -CORE_RENAMED && place->displacement < CORE_RENAMED));
}

/* Where an operation at an address refers to; *place has no time and no source. */
static void find_place(const struct core_walk *walk, const struct operation *operation,
		       uint64_t address, struct core_store *place)
{
	const struct operation_place *given = &operation->place;

	*place = (struct core_store){
		.offset = given->displacement,
		.size = given->size,
		.scale = given->index == CORE_NO_REGISTER ? 0 : given->scale,
		.is_renamed = can_be_renamed(operation),
		.base_register = given->base,
		.index_register = given->index,
		.displacement = given->displacement,
	};
	if (given->base != CORE_NO_REGISTER) {
		place->base = walk->values[given->base];
		place->offset += walk->offsets[given->base];
	}
	if (given->index != CORE_NO_REGISTER) {
		place->index = walk->values[given->index];
		place->offset += walk->offsets[given->index] * given->scale;
	}
	if (given->base == CORE_NO_REGISTER && given->index == CORE_NO_REGISTER)
		place->offset += (int64_t)(address + operation->size);
}

/* The last store to some of what is loaded; NULL if none is known. */
static const struct core_store *find_store(const struct core_walk *walk,
					   const struct core_store *place)
{
	const unsigned n = walk->n_stores < CORE_STORES ? walk->n_stores : CORE_STORES;

	for (unsigned back = 1; back <= n; back++) {
		const struct core_store *store =
			&walk->stores[(walk->n_stores - back) % CORE_STORES];

		if (store->base == place->base && store->index == place->index &&
		    store->scale == place->scale && store->offset < place->offset + place->size &&
		    place->offset < store->offset + store->size)
			return store;
	}
	return NULL;
}

/* The tag of what brings the line of a load: of an earlier one that is near, else its own. */
static uint64_t tag_of(struct core_walk *walk, const struct core_store *place, uint64_t tag)
{
	for (unsigned i = 0; i < CORE_LOADS; i++) {
		const struct core_store *near = &walk->loads[i];

		if (near->base == place->base && near->index == place->index &&
		    near->scale == place->scale && place->offset < near->offset + CORE_LINE &&
		    near->offset < place->offset + CORE_LINE)
			return near->source;
	}
	walk->loads[walk->n_loads] = *place;
	walk->loads[walk->n_loads].source = tag;
	walk->n_loads = (walk->n_loads + 1) % CORE_LOADS;
	return tag;
}

static void add_store(struct core_walk *walk, const struct core_store *place)
{
	walk->stores[walk->n_stores++ % CORE_STORES] = *place;
}

/* --- ports -------------------------------------------------------------------------------- */

/* The lowest level of some ports, and the next one above it; UINT64_MAX: there is none. */
static uint64_t lowest(const struct core_walk *walk, uint32_t ports, uint64_t *next)
{
	uint64_t low = UINT64_MAX;

	*next = UINT64_MAX;
	for (; ports != 0; ports &= ports - 1) {
		const uint64_t level = walk->busy_until[__builtin_ctz(ports)];

		if (level < low) {
			*next = low;
			low = level;
		} else if (level > low && level < *next) {
			*next = level;
		}
	}
	return low;
}

/* Raises the ports of a set that are at a level; returns their number. */
static unsigned raise(struct core_walk *walk, uint32_t ports, uint64_t level, uint64_t by)
{
	unsigned n = 0;

	for (; ports != 0; ports &= ports - 1) {
		uint64_t *busy_until = &walk->busy_until[__builtin_ctz(ports)];

		if (*busy_until == level) {
			*busy_until += by;
			n++;
		}
	}
	return n;
}

/* Work for some ports, which is given to those that have the least to do; when it can begin. */
static uint64_t give_work(struct core_walk *walk, uint32_t ports, uint64_t ticks)
{
	uint64_t begins = 0, next;

	for (bool is_first = true; ports != 0 && ticks != 0; is_first = false) {
		const uint64_t level = lowest(walk, ports, &next);
		const unsigned n_lowest = raise(walk, ports, level, 0);
		const unsigned n = n_lowest == 0 ? 1 : n_lowest; /* one is the lowest */
		uint64_t by = (ticks + n - 1) / n;

		if (is_first)
			begins = level;
		if (by > next - level)
			by = next - level;
		raise(walk, ports, level, by);
		ticks = ticks > by * n ? ticks - by * n : 0;
	}
	return begins;
}

static void copy_levels(uint64_t *to, const uint64_t *from)
{
	for (unsigned i = 0; i < INSTRUCTION_MAX_PORTS; i++)
		to[i] = from[i];
}

/* Nothing that is dispatched now can have been done before. */
static void forget_idle_ports(struct core_walk *walk, uint64_t now)
{
	for (unsigned i = 0; i < INSTRUCTION_MAX_PORTS; i++)
		walk->busy_until[i] = later(walk->busy_until[i], now);
}

/*
 * Takes ports for what an operation does with memory, or for what else it does; when the last one of them has been had.
 */
static uint64_t take_ports(struct core_walk *walk, const struct operation *operation,
			   bool for_memory, uint64_t at)
{
	const struct instruction_row *row = operation->row;
	uint64_t last = at;

	if (row == NULL)
		return at;
	for (unsigned i = 0; i < row->n_uses; i++) {
		const struct instruction_use *use = &row->uses[i];

		if (((use->ports & ~walk->config->memory_ports) == 0) == for_memory)
			last = later(last, give_work(walk, use->ports,
						     (uint64_t)use->tenths * CORE_TICKS / TENTHS));
	}
	return last;
}

/* --- steps -------------------------------------------------------------------------------- */

/* A jump has been taken to this address: cycles until the first window of that is fetched. */
static unsigned jump_to(struct core_walk *walk, uint64_t target)
{
	uint64_t *jumps = walk->jumps;
	unsigned at = 0;
	bool is_known;

	if (walk->was_call && walk->config->call != 0)
		return walk->config->call;
	if (walk->config->jump <= 1)
		return 1;
	while (at < CORE_JUMPS - 1 && jumps[at] != target)
		at++;
	is_known = jumps[at] == target;
	for (; at > 0; at--)
		jumps[at] = jumps[at - 1];
	jumps[0] = target;
	return is_known ? 1 : walk->config->jump;
}

/* When the code of an operation has been fetched. */
static void fetch(struct core_walk *walk, const struct operation *operation, uint64_t address,
		  bool jumped)
{
	const unsigned bytes = walk->config->window;
	const uint64_t first = address / bytes, last = (address + operation->size - 1) / bytes;
	const bool is_first = walk->window == UINT64_MAX;
	uint64_t windows = 0;

	if (!is_first && jumped)
		windows = jump_to(walk, address);
	else if (!is_first && first != walk->window)
		windows = 1;
	windows += last - first;
	walk->window = last;
	if (windows != 0)
		walk->fetched = later(walk->fetched + windows * CORE_TICKS,
				      walk->queue[walk->n_operations % CORE_QUEUE]);
}

/* What an operation takes of dispatch: its slots, and its share of the instructions of a cycle. */
static uint64_t slot_ticks(const struct core_config *config, unsigned slots)
{
	const uint64_t ticks = (uint64_t)slots * CORE_TICKS / config->width;

	return config->decoded == 0 || slots == 0 ? ticks
						  : later(ticks, CORE_TICKS / config->decoded);
}

/* What it waited for is what it cost more than its slots. */
static void split(struct core_cost *cost, uint64_t gap, uint64_t slots, uint64_t waited_for_ports,
		  uint64_t waited_for_code)
{
	uint64_t base = gap < slots ? gap : slots, rest = gap - base;
	const uint64_t ports = rest < waited_for_ports ? rest : waited_for_ports;

	rest -= ports;
	cost->base = (uint32_t)(base + ports);
	cost->front_end = (uint32_t)(rest < waited_for_code ? rest : waited_for_code);
	cost->dependence = (uint32_t)rest - cost->front_end;
}

/* Cycles from what was stored to its load. */
static unsigned forwarding(const struct core_walk *walk, const struct operation *operation,
			   const struct core_store *store, const struct core_store *place)
{
	const unsigned forward = walk->config->forward;
	const bool is_renamed = store->is_renamed && place->is_renamed &&
				store->base_register == place->base_register &&
				store->index_register == place->index_register &&
				(store->displacement == place->displacement ||
				 place->base_register == CORE_RSP ||
				 place->base_register == CORE_NO_REGISTER);

	if (place->offset < store->offset ||
	    place->offset + place->size > store->offset + store->size)
		return operation->load + CORE_BLOCKED;
	if (operation->writes >> CORE_VECTOR != 0 && forward < operation->load)
		return operation->load;
	return is_renamed ? walk->config->renamed : forward;
}

/* What an operation loads, from an address that is known by then: waits for that. */
static void load(struct core_walk *walk, const struct operation *operation,
		 const struct core_store *place, uint64_t tag, struct wait *wait)
{
	const struct core_store *store = find_store(walk, place);

	if (store == NULL) {
		wait->until += (uint64_t)operation->load * CORE_TICKS;
		wait->source = tag_of(walk, place, tag);
		return;
	}
	(void)tag_of(walk, place, tag);
	if (store->ready > wait->until) {
		wait->until = store->ready;
		wait->by = store->writer;
	}
	wait->until += (uint64_t)forwarding(walk, operation, store, place) * CORE_TICKS;
	wait->source = store->source;
}

/* What an operation does with memory; *wait is for its other operands.  Ticks that it waited for ports. */
static uint64_t refer(struct core_walk *walk, const struct operation *operation,
		      const struct core_store *place, struct wait *wait, const struct wait *address,
		      struct core_event *event)
{
	struct wait memory = *address;
	uint64_t ports;

	memory.until = take_ports(walk, operation, true, address->until);
	ports = memory.until - address->until;
	if (operation->loads) {
		load(walk, operation, place, event->tag, &memory);
		wait->source = memory.source;
		event->tag = memory.source;
	}
	if (wait->until > memory.until) /* it would have waited anyway */
		return 0;
	wait->until = memory.until;
	wait->by = memory.by;
	event->by_load = operation->loads;
	return ports;
}

void core_walk_step(struct core_walk *walk, const struct operation *operation, uint64_t address,
		    bool jumped, uint64_t tag, struct core_cost *cost)
{
	const struct core_config *config = walk->config;
	const bool is_fused = operation->is_conditional && walk->may_fuse;
	const uint64_t slots = is_fused ? 0 : slot_ticks(config, operation->slots);
	struct core_event *event = &walk->events[walk->n_operations % CORE_HISTORY];
	struct core_store place = { 0 };
	struct wait operands, addressed;
	uint64_t dispatched, waited_for_code, issued, done, retired, ports = 0;

	*event = (struct core_event){ .tag = tag };
	fetch(walk, operation, address, jumped);
	dispatched = later(walk->dispatched, walk->fetched);
	waited_for_code = dispatched - walk->dispatched;
	walk->dispatched = dispatched + slots;
	walk->queue[walk->n_operations++ % CORE_QUEUE] = dispatched;
	forget_idle_ports(walk, dispatched);
	walk->may_fuse = operation->fuses;
	walk->was_call = operation->is_call;

	operands = wait_for(walk, operation->reads, dispatched);
	if (operation->flags_first != 0)
		wait_for_flags(walk, operation, &operands);
	addressed = wait_for(walk, operation->addressing, dispatched);
	if (operation->loads || operation->stores) {
		find_place(walk, operation, address, &place);
		ports = refer(walk, operation, &place, &operands, &addressed, event);
	}
	if (is_fused) { /* what was compared is done with the jump */
		copy_levels(walk->busy_until, walk->before_fused);
		forget_idle_ports(walk, dispatched);
	} else if (operation->fuses)
		copy_levels(walk->before_fused, walk->busy_until);
	issued = take_ports(walk, operation, false, operands.until);
	ports += issued - operands.until;
	event->by = issued == operands.until ? operands.by : 0;
	done = issued + (uint64_t)operation->latency * CORE_TICKS;
	if (operation->stores) {
		place.ready = done;
		place.source = operands.source;
		place.writer = (uint32_t)walk->n_operations;
		add_store(walk, &place);
	}
	write_registers(walk, operation, done, operands.source);

	retired = later(walk->retired + slots, done);
	event->was_retired = done > walk->retired + slots;
	if (cost != NULL) {
		split(cost, retired - walk->retired, slots, ports,
		      operands.until == dispatched ? waited_for_code : 0);
		cost->waited = (uint32_t)(done - dispatched);
		cost->done = done;
		cost->source = operation->loads || operation->stores ? addressed.source
								     : operands.source;
	}
	walk->retired = retired;
}

/* --- the critical path -------------------------------------------------------------------- */

unsigned core_walk_critical(const struct core_walk *walk, unsigned long_enough, uint64_t *tags,
			    unsigned room)
{
	const uint64_t end = walk->n_operations;
	const uint64_t oldest = end > CORE_HISTORY ? end - CORE_HISTORY : 0;
	uint64_t at = end; /* from 1 */
	unsigned n = 0;

	/* What was retired last came to wait for what follows it in program order. */
	while (at > oldest && !walk->events[(at - 1) % CORE_HISTORY].was_retired)
		at--;
	while (at > oldest) {
		const struct core_event *event = &walk->events[(at - 1) % CORE_HISTORY];

		if (event->by_load && n < room)
			tags[n++] = event->tag;
		if (event->by == 0)
			break;
		at = event->by;
	}
	return end - at >= long_enough ? n : 0;
}

static unsigned count_ports(uint32_t ports)
{
	unsigned n = 0;

	for (; ports != 0; ports &= ports - 1)
		n++;
	return n;
}

uint32_t core_cost_alone(const struct core_config *config, const struct operation *operation)
{
	uint64_t most = slot_ticks(config, operation->slots);

	for (unsigned i = 0; operation->row != NULL && i < operation->row->n_uses; i++) {
		const struct instruction_use *use = &operation->row->uses[i];

		if (use->ports != 0)
			most = later(most, (uint64_t)use->tenths * CORE_TICKS / TENTHS /
						   count_ports(use->ports));
	}
	return (uint32_t)most;
}
