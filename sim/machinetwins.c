/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/machinetwins.h"

#include "sim/called.h"
#include "sim/plain.h"
#include "sim/tlbs/machinetlbs.h"

static uint32_t n_lines(const struct cache_config *config)
{
	return (uint32_t)geometry_lines(&config->geometry);
}

void machinetwins_attach(struct machine_twins *twins, struct machine *machine,
			 const struct hierarchy_config *config, const struct misses_memory *memory)
{
	const bool is_plain_data = machine->d1.assoc != 0, is_plain_code = machine->i1.assoc != 0;
	const uint64_t data_slots = is_plain_data ? n_lines(&config->d1)
				    : machine->newest_data.lines != NULL
					    ? cache_n_sets(&machine->called_d1)
					    : 0;
	const uint64_t code_slots = is_plain_code ? n_lines(&config->i1)
				    : machine->newest_code.lines != NULL
					    ? cache_n_sets(&machine->called_i1)
					    : 0;

	*twins = (struct machine_twins){ .clock = 1 };
	twin_init(&twins->data, n_lines(&config->d1), machine->d1.line_bits,
		  is_plain_data ? machine->d1.stamps : machine->newest_data.stamps,
		  (uint32_t)data_slots, memory);
	twin_init(&twins->code, n_lines(&config->i1), machine->i1.line_bits,
		  is_plain_code ? machine->i1.stamps : machine->newest_code.stamps,
		  (uint32_t)code_slots, memory);
	seen_init(&twins->data_seen, machine->d1.line_bits, memory);
	seen_init(&twins->code_seen, machine->i1.line_bits, memory);
	machine->twins = twins;
	machine->d1.has_common_miss = false;
}

void machinetwins_release(struct machine_twins *twins)
{
	twin_release(&twins->data);
	twin_release(&twins->code);
	seen_release(&twins->data_seen);
	seen_release(&twins->code_seen);
}

/* --- data ------------------------------------------------------------------------------------ */

static uint32_t data_slot(const struct machine *machine, uint64_t line)
{
	const struct filter_entry *entry =
		&machine->filter[(line >> machine->d1.line_bits) & machine->filter_mask];

	if (machine->d1.assoc == 0) {
		const uint64_t set = cache_set_number(&machine->called_d1, line);

		return machine->newest_data.lines != NULL && machine->newest_data.lines[set] == line
			       ? (uint32_t)set
			       : TWIN_NO_SLOT;
	}
	if (entry->line == line)
		return (uint32_t)(entry->stamp - machine->d1.stamps);
	return plain_data_way(machine, line);
}

/* A slot's line has left the twin. */
static void hide_data(struct machine *machine, uint32_t slot)
{
	if (machine->d1.assoc == 0)
		called_hide_data(machine, machine->newest_data.lines[slot]);
	else
		machinetlbs_forget_line(machine, machine->d1.tags[slot]);
}

static uint32_t touch_data_line(struct machine *machine, uint64_t line, uint64_t stamp)
{
	struct machine_twins *twins = machine->twins;
	const uint32_t slot = data_slot(machine, line);
	struct twin_touched touched;

	if (slot != TWIN_NO_SLOT && machine->d1.assoc == 0)
		machine->newest_data.stamps[slot] = stamp;
	touched = twin_touch(&twins->data, line, stamp, slot);
	if (touched.slot != TWIN_NO_SLOT)
		hide_data(machine, touched.slot);
	return touched.missed ? curvetally_miss(twins->tally, &twins->data_seen, line, touched.left)
			      : 0;
}

void machinetwins_touch_data(struct machine *machine, uint64_t address, uint64_t size,
			     uint64_t stamp)
{
	struct machine_twins *twins = machine->twins;
	const uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	const uint64_t line = address & ~(line_size - 1), end = (address - line) + size;
	uint32_t outcome = 0;

	/* By bytes covered: address + size may wrap around. */
	for (uint64_t covered = 0; covered < end; covered += line_size, stamp++)
		outcome |= touch_data_line(machine, line + covered,
					   machine_is_called_for_data(machine) ? twins->clock++
									       : stamp);
	twins->outcome = outcome;
}

void machinetwins_modify(struct machine *machine, uint64_t address, uint64_t size, uint64_t stamp)
{
	const uint64_t line_size = UINT64_C(1) << machine->d1.line_bits;
	const uint64_t line = address & ~(line_size - 1), end = (address - line) + size;

	for (uint64_t covered = 0; covered < end; covered += line_size, stamp++) {
		const uint32_t slot = data_slot(machine, line + covered);

		if (slot == TWIN_NO_SLOT)
			continue;
		if (machine->d1.assoc == 0)
			machine->newest_data.stamps[slot] = stamp;
		if (!twin_attach(&machine->twins->data, line + covered, slot))
			hide_data(machine, slot);
	}
}

/* --- code ------------------------------------------------------------------------------------ */

static uint32_t code_slot(const struct machine *machine, const struct code_line *line)
{
	const uint64_t *stamps = machine->i1.assoc != 0 ? machine->i1.stamps
							: machine->newest_code.stamps;

	return line->stamp == &machine->nowhere ? TWIN_NO_SLOT : (uint32_t)(line->stamp - stamps);
}

static void hide_code(struct machine *machine, uint32_t slot)
{
	if (machine->i1.assoc == 0)
		called_hide_code_set(machine, slot);
	else
		plain_hide_code_way(machine, slot);
}

static uint32_t touch_code_line(struct machine *machine, uint64_t line, uint64_t stamp,
				uint32_t slot)
{
	struct machine_twins *twins = machine->twins;
	const struct twin_touched touched = twin_touch(&twins->code, line, stamp, slot);

	if (touched.slot != TWIN_NO_SLOT)
		hide_code(machine, touched.slot);
	return touched.missed ? curvetally_miss(NULL, &twins->code_seen, line, touched.left) : 0;
}

void machinetwins_touch_code(struct machine *machine, struct code_line *const *lines,
			     unsigned n_lines, uint64_t address, uint64_t size, uint64_t stamp)
{
	struct machine_twins *twins = machine->twins;
	const uint64_t line_size = UINT64_C(1) << machine->i1.line_bits;
	const uint64_t line = address & ~(line_size - 1), end = (address - line) + size;
	uint32_t outcome = 0;

	for (unsigned i = 0; i < n_lines; i++)
		outcome |= touch_code_line(machine, lines[i]->address, stamp + i,
					   code_slot(machine, lines[i]));
	for (uint64_t covered = 0; covered < end && machine_is_called_for_code(machine);
	     covered += line_size)
		outcome |= touch_code_line(machine, line + covered, twins->clock++, TWIN_NO_SLOT);
	twins->outcome = outcome;
}

/* --- evictions ------------------------------------------------------------------------------- */

void machinetwins_evict(struct machine *machine, struct address_range range)
{
	struct machine_twins *twins = machine->twins;

	twin_evict(&twins->data, range);
	twin_evict(&twins->code, range);
	seen_forget(&twins->data_seen, range);
	seen_forget(&twins->code_seen, range);
}
