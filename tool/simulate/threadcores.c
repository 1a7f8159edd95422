/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/simulate/threadcores.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "sim/cores.h"
#include "tool/common/message.h"
#include "tool/counts/state.h"
#include "tool/simulate/state.h"

/*
 * Bytes of address space for a core's own memory.  The machine and the predictor take some MiB of it, each line of code 16
 * bytes and each branch instruction 64.
 */
static const SizeT OWN_MEMORY = 512UL * 1024 * 1024;

void threadcores_init(struct thread_cores *cores, UInt n)
{
	cores->n = n;
	if (n > 1 && !hot_memory_reserve(&cores->memory, OWN_MEMORY))
		cores->n = 1;
	if (cores->n == 1)
		return;
	cores->own = (Addr)cores->memory.next;
	cores->of_thread = VG_(calloc)("costgrind.cores", VG_N_THREADS, 1);
}

struct hot_memory *threadcores_memory(struct thread_cores *cores)
{
	return cores->n == 1 ? &tool_counts.hot_memory : &cores->memory;
}

void threadcores_first(struct thread_cores *cores, struct predictor *predictor)
{
	cores->of[0].machine = tool_simulate.machine;
	cores->of[0].predictor = predictor;
	cores->of[0].has_started = True;
}

Bool threadcores_is_own(const struct thread_cores *cores, const void *memory)
{
	const Addr address = (Addr)memory;

	/* Hot words lie in the machine of core 0, but are of the thread that runs. */
	return cores->several && address - cores->own < OWN_MEMORY &&
	       address - (Addr)tool_simulate.machine->near >= MACHINE_NEAR;
}

static void *own_of(const struct thread_core *core, const void *own)
{
	return (void *)((Addr)own + core->offset);
}

static void add_line(void *to, struct code_line *line)
{
	const struct thread_core *core = to;
	struct code_line *own = own_of(core, line);

	if (own->stamp == NULL)
		machine_add_code_line(core->machine, own, line->address);
}

static void add_place(void *to, struct branch_place *place)
{
	const struct thread_core *core = to;

	predictor_add_place(core->predictor, own_of(core, place), place->key);
}

void threadcores_add_line(struct thread_cores *cores, struct code_line *line)
{
	for (UInt i = 1; i < cores->n; i++)
		if (cores->of[i].has_started)
			add_line(&cores->of[i], line);
}

void threadcores_add_place(struct thread_cores *cores, struct branch_place *place)
{
	for (UInt i = 1; i < cores->n; i++)
		if (cores->of[i].has_started)
			add_place(&cores->of[i], place);
}

struct code_line *const *threadcores_lines(const struct thread_cores *cores,
					   struct reference *reference, struct code_line **room)
{
	struct code_line *const *lines = reference_lines(reference);

	if (cores->offset == 0)
		return lines;
	for (UInt i = 0; i < reference->n_lines; i++)
		room[i] = threadcores_here(cores, lines[i]);
	return room;
}

/* --- threads ----------------------------------------------------------------------------- */

/* Gives each core its own memory, and makes it one of several; fewer if there is no address space for all. */
static void begin(struct thread_cores *cores)
{
	const struct hierarchy_config *config = &tool_simulate.simulated;
	struct machine *machines[CORES_MAX] = { tool_simulate.machine };
	UInt n = 1;
	void *memory;

	for (; n < cores->n; n++) {
		struct thread_core *core = &cores->of[n];
		const UChar *own = pages_take_sparingly(OWN_MEMORY);

		if (own == NULL)
			break;
		core->offset = (Addr)own - cores->own;
		core->machine = machines[n] = own_of(core, tool_simulate.machine);
	}
	if (n < cores->n)
		message_note("--cores=%u: address space only for %u", cores->n, n);
	cores->n = n;
	if (n == 1)
		return;
	memory = pages_take(cores_size(config, n));
	if (memory == NULL)
		hot_memory_exhausted(cores_size(config, n));
	cores->together = cores_begin(machines, config, n, memory);
	cores->several = True;
}

static void init_predictor(struct thread_core *core)
{
	predictor_init(core->predictor, &tool_simulate.branching.config.predictor);
	branching_each_place(&tool_simulate.branching, add_place, core);
}

static void start(struct thread_core *core)
{
	const struct thread_core *first = &tool_simulate.cores.of[0];

	core->has_started = True;
	blocks_each_line(&tool_counts.blocks, add_line, core);
	if (first->predictor == NULL)
		return;
	core->predictor = own_of(core, first->predictor);
	init_predictor(core);
}

Bool threadcores_create(struct thread_cores *cores, ThreadId thread)
{
	const Bool begins = cores->n > 1 && !cores->several;
	UInt number;

	if (begins)
		begin(cores);
	if (cores->n <= 1)
		return False;
	number = ++cores->n_created % cores->n;
	cores->of_thread[thread] = (UChar)number;
	if (!cores->of[number].has_started)
		start(&cores->of[number]);
	return begins;
}

/* As if the core had met no branch yet. */
static void forget_branches(struct thread_core *core)
{
	core->machine->history = 0;
	VG_(memset)(core->machine->targets, 0, sizeof(core->machine->targets));
	VG_(memset)(core->machine->cells, 0, sizeof(core->machine->cells));
	if (core == &tool_simulate.cores.of[0]) {
		branching_clear(&tool_simulate.branching);
	} else if (core->predictor != NULL) {
		VG_(memset)(core->predictor, 0,
			    predictor_size(&tool_simulate.branching.config.predictor));
		init_predictor(core);
	}
}

void threadcores_fork(struct thread_cores *cores, ThreadId thread)
{
	if (!cores->several)
		return;
	cores->n_created = cores->of_thread[thread];
	cores_leave_one(cores->together, cores->n_created);
	for (UInt i = 0; i < cores->n; i++)
		if (i != cores->n_created)
			forget_branches(&cores->of[i]);
}

void threadcores_kernel_writes(struct thread_cores *cores, ThreadId thread, Addr address,
			       SizeT size)
{
	if (cores->several && size != 0)
		cores_foreign_write(cores->together, address_range(address, size),
				    cores->of_thread[thread]);
}

void threadcores_hide(struct thread_cores *cores, struct address_range range)
{
	for (UInt i = 0; i < cores->n && cores->of[i].machine != NULL; i++)
		machine_hide(cores->of[i].machine, range);
}

void threadcores_clear(struct thread_cores *cores)
{
	machine_evict(tool_simulate.machine, address_range_all());
	for (UInt i = 0; i < cores->n; i++)
		forget_branches(&cores->of[i]);
}

void threadcores_run(struct thread_cores *cores, ThreadId thread)
{
	const struct thread_core *core;

	if (cores->n == 1)
		return;
	core = &cores->of[cores->of_thread[thread]];
	cores->offset = core->offset;
	tool_simulate.running = core->machine;
	tool_simulate.branching.running = core->predictor;
}
