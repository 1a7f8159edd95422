/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tool/simulate/missreasons.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_mallocfree.h"

#include "tool/calls/collection.h"
#include "tool/counts/state.h"
#include "tool/simulate/state.h"
#include "writer/shared/size_event.h"

static void *allocate(size_t size)
{
	return VG_(calloc)("costgrind.misses", 1, size);
}

static const struct misses_memory memory = { allocate, VG_(free) };

static void *allocate_for_curve(void *ctx, size_t size)
{
	(void)ctx;
	return allocate(size);
}

static void release_of_curve(void *ctx, void *freed)
{
	(void)ctx;
	VG_(free)(freed);
}

enum {
	SAMPLED_SHIFT = 3,       /* one line of eight */
	SAMPLED_LIMIT = 1 << 20, /* lines: 34 MB */
	FIRST_ROOM = 1 << 12,    /* lines */
};

/* Bytes of a column of the curve. */
static ULong size_of(UInt column)
{
	return size_event_bytes(event_table[EVENT_M64K + column].name);
}

_Static_assert((UInt)N_SIZE_EVENTS <= (UInt)CURVE_MAX_COLUMNS, "columns of the curve");

const HChar *missreasons_misfit(const struct cache_config *d1)
{
	return d1->geometry.size > size_of(0)
		       ? "cannot be combined with a D1 of more than 64 KiB, the smallest size of the curve"
		       : NULL;
}

static void init_curve(struct missreasons *reasons, const struct cache_config *d1,
		       enum miss_curve curve)
{
	const struct curve_memory curve_memory = { allocate_for_curve, release_of_curve, NULL };
	const UInt line_size = d1->geometry.line_size;
	struct curve_config config = {
		.n_columns = N_SIZE_EVENTS,
		.line_bits = geometry_line_bits(&d1->geometry),
		.filter_lines = d1->geometry.size / line_size,
		.shift = curve == MISS_CURVE_SAMPLED ? SAMPLED_SHIFT : 0,
		.limit = curve == MISS_CURVE_SAMPLED ? SAMPLED_LIMIT : 0,
		.room = FIRST_ROOM,
	};

	for (UInt i = 0; i < N_SIZE_EVENTS; i++)
		config.sizes[i] = size_of(i) / line_size;
	if (!curve_init(&reasons->curve, &config, &curve_memory))
		VG_(tool_panic)("no memory for the curve");
	reasons->tally.curve = &reasons->curve;
}

void missreasons_init(struct missreasons *reasons, const struct hierarchy_config *config,
		      Bool has_classes, enum miss_curve curve)
{
	reasons->is_on = True;
	reasons->has_classes = has_classes;
	reasons->has_curve = curve != MISS_CURVE_NO;
	if (reasons->has_classes) {
		missclasses_init(&reasons->lower, config, &memory);
		conflicts_init(&reasons->conflicts, &config->d1);
	}
	if (reasons->has_curve)
		init_curve(reasons, &config->d1, curve);
}

void missreasons_attach(struct missreasons *reasons, struct machine *machine,
			const struct hierarchy_config *config)
{
	machine_attach_twins(machine, &reasons->twins, config, &memory);
	reasons->twins.tally = reasons->has_curve ? &reasons->tally : NULL;
}

struct miss_reasons missreasons_find(struct missreasons *reasons, const struct site *site,
				     enum reference_kind kind, Addr address, UWord size,
				     UInt served)
{
	const struct miss_reasons found =
		missclasses_find(&reasons->lower, reasons->twins.outcome, address, size, served);

	if (reasons->has_classes && served != 0 && kind != REFERENCE_FETCH)
		conflicts_note(&reasons->conflicts, site, address_range(address, size),
			       found.of[0] == MISS_CONFLICT && collection_is_on(tool_counts.hot));
	reasons->last = found;
	return found;
}

struct curve_missed missreasons_take_sizes(struct missreasons *reasons)
{
	const struct curve_missed missed = reasons->tally.missed;

	reasons->tally.missed = (struct curve_missed){ 0, 0 };
	reasons->tally.n_lines = 0;
	return missed;
}

struct curve_error missreasons_error(const struct missreasons *reasons, UInt column)
{
	return curve_error(&reasons->curve, column);
}

void missreasons_evict(struct missreasons *reasons, struct address_range range)
{
	if (!reasons->is_on)
		return;
	missclasses_evict(&reasons->lower, range);
	if (reasons->has_curve)
		curve_evict(&reasons->curve, range);
}
