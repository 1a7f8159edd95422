/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/simulate/threadcores.h"

#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

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
	for (UInt i = 1; i < cores->n && cores->of[i].machine != NULL; i++)
		add_line(&cores->of[i], line);
}

void threadcores_add_place(struct thread_cores *cores, struct branch_place *place)
{
	for (UInt i = 1; i < cores->n && cores->of[i].machine != NULL; i++)
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

static void start(const struct thread_cores *cores, struct thread_core *core)
{
	const struct thread_core *first = &cores->of[0];
	const UChar *memory = pages_take(OWN_MEMORY);

	if (memory == NULL)
		hot_memory_exhausted(OWN_MEMORY);
	core->offset = (Addr)memory - cores->own;
	core->machine = own_of(core, first->machine);
	machine_init(core->machine, &tool_simulate.simulated);
	blocks_each_line(&tool_counts.blocks, add_line, core);
	if (first->predictor == NULL)
		return;
	core->predictor = own_of(core, first->predictor);
	predictor_init(core->predictor, &tool_simulate.branching.config.predictor);
	branching_each_place(&tool_simulate.branching, add_place, core);
}

Bool threadcores_create(struct thread_cores *cores, ThreadId thread)
{
	const Bool begins = cores->n > 1 && !cores->several;
	UInt number;

	if (cores->n == 1)
		return False;
	number = ++cores->n_created % cores->n;
	cores->of_thread[thread] = (UChar)number;
	if (cores->of[number].machine == NULL)
		start(cores, &cores->of[number]);
	cores->several = True;
	return begins;
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
