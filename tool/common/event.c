/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EstCyc has the weights of costgrind annotate.  (KCachegrind always has an estimate of its own, CEst.)
 */
#include "tool/common/event.h"

#include "pub_tool_libcbase.h"

const struct event_row event_table[N_EVENTS] = {
#define INFO(id, name, long_name, origin, group, cost, ...) \
 [EVENT_##id] = { name, long_name, GROUP_##group, EVENT_CYCLES_OF_##cost },
	EVENTS(INFO)
#undef INFO
};

/* The order of a profile's columns. */
static const enum event profile_order[N_EVENTS] = {
#define ID(id, ...) EVENT_##id,
	EVENTS(ID)
#undef ID
};

/* How many of the first events must be counted so that this one is. */
static UInt counted_with(enum event event)
{
	if (event == EVENT_IR || event >= N_RUNNING_EVENTS)
		return 1;
	return event < N_COMMON_EVENTS ? N_COMMON_EVENTS : event + 1;
}

/* Bytes first, next to Ir if only instructions are counted otherwise, and then all other work. */
static void find_late(struct event_set *set)
{
	set->n_late = 0;
	if (set->late_kind == LATE_WORK) {
		set->late[LATE_BYTR] = EVENT_BYTR;
		set->late[LATE_BYTW] = EVENT_BYTW;
		set->late[LATE_FLS] = EVENT_FLS;
		set->late[LATE_FLD] = EVENT_FLD;
		set->late[LATE_FLX] = EVENT_FLX;
		set->late[LATE_FL128] = EVENT_FL128;
		set->late[LATE_FL256] = EVENT_FL256;
		set->n_late = N_LATE_WORK;
	}
	for (UInt event = EVENT_SYS_COUNT; event < EVENT_AFTER_SYSTEM; event++)
		if (event_is_recorded(set, (enum event)event))
			set->late[set->n_late++] = (enum event)event;
	if (set->n_late != 0 && set->late_kind == LATE_NONE)
		set->late_kind = LATE_SELDOM;
}

static Bool is_rare(const struct event_set *set, UInt event)
{
	return event < set->n_counted && event_is_recorded(set, (enum event)event) &&
	       !event_is_late(set, (enum event)event);
}

/* True for events that generated code adds to at the end of nearly every block. */
static Bool is_steady(UInt event)
{
	return (event >= EVENT_CYBASE && event <= EVENT_CYFE) || event == EVENT_BR ||
	       (event >= EVENT_FLS && event < EVENT_AFTER_WORK);
}

/* True if an event is moved together with the next one; steady ones as generated code adds to them. */
static Bool begins_pair(UInt event)
{
	if (event == EVENT_CYBASE)
		return True;
	if (event >= EVENT_FLS && event < EVENT_AFTER_WORK)
		return (event - EVENT_FLS) % 2 == 0;
	return !is_steady(event);
}

static void find_pairs(struct event_set *set, struct event_pairs *pairs, Bool steady)
{
	enum event single[N_EVENTS] = { 0 };
	UInt n_single = 0;

	*pairs = (struct event_pairs){ .n = 0 };
	for (UInt event = EVENT_REP + 1; event < set->n_counted; event++) {
		if (!is_rare(set, event) || is_steady(event) != steady)
			continue;
		if (begins_pair(event) && is_rare(set, event + 1) && is_steady(event + 1) == steady)
			pairs->events[pairs->n_pairs++] = (enum event)event++;
		else
			single[n_single++] = (enum event)event;
	}
	pairs->n = pairs->n_pairs + n_single;
	for (UInt i = 0; i < n_single; i++)
		pairs->events[pairs->n_pairs + i] = single[i];
}

void event_set_init(struct event_set *set, UInt groups, Bool packs_work)
{
	const Bool has_work = (groups & (1U << GROUP_FLOPS | 1U << GROUP_BYTES)) != 0;

	set->n = 0;
	set->n_hidden = 0;
	set->n_counted = 1;
	set->late_kind = has_work && packs_work ? LATE_WORK : LATE_NONE;
	set->recorded = (struct event_mask){ { 0 } };
	for (UInt i = 0; i < N_EVENTS; i++) {
		enum event event = profile_order[i];

		if (((groups | 1U << GROUP_ALWAYS) >> event_table[event].group & 1) == 0)
			continue;
		set->events[set->n++] = event;
		event_mask_add(&set->recorded, event);
		if (!event_is_late(set, event) && set->n_counted < counted_with(event))
			set->n_counted = counted_with(event);
	}
	find_late(set);
	find_pairs(set, &set->steady, True);
	find_pairs(set, &set->seldom, False);
	set->lacks_common = True;
	for (UInt event = EVENT_IR + 1; event < N_COMMON_EVENTS; event++)
		set->lacks_common &= !event_is_recorded(set, (enum event)event);
	if (set->n_counted == EVENT_REP + 1 && set->lacks_common)
		set->n_counted = N_COUNTED_IR_REP;
	set->n_kept = set->n_counted + set->n_late;
}

void event_set_hide(struct event_set *set, enum event_group group)
{
	while (event_table[set->events[set->n - 1]].group == group) {
		set->n--;
		set->n_hidden++;
	}
}

void event_set_show(struct event_set *set)
{
	set->n += set->n_hidden;
	set->n_hidden = 0;
}

UInt event_late_index(const struct event_set *set, enum event event)
{
	UInt i = 0;

	while (i + 1 < set->n_late && set->late[i] != event)
		i++;
	return i;
}

void event_add_kept(const struct event_set *set, const ULong *kept, ULong sums[N_EVENTS])
{
	for (UInt i = 0; i < set->n_counted; i++)
		sums[event_counted(set->n_counted, i)] += kept[i];
	for (UInt i = 0; i < set->n_late; i++)
		sums[set->late[i]] += kept[set->n_counted + i];
}

/* -- derived events ---------------------------------------------------------- */

/* Formulas name only recorded events and events above them. */
static const struct derived_event {
	const HChar *name, *formula, *needs;
} derived_events[] = {
#define DERIVED(name, formula, needs, ...) { name, formula, needs },
	DERIVED_EVENTS(DERIVED)
#undef DERIVED
};

static Bool is_text(const HChar *text, const HChar *name, SizeT len)
{
	return VG_(strlen)(text) == len && VG_(strncmp)(text, name, len) == 0;
}

static Bool is_letter_or_digit(HChar c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || VG_(isdigit)(c);
}

/* The length of the name at the start of a text. */
static SizeT name_length(const HChar *text)
{
	SizeT len = 0;

	while (is_letter_or_digit(text[len]))
		len++;
	return len;
}

static Bool estimate_value(const struct event_set *set, const ULong totals[N_EVENTS], ULong *value)
{
	UInt n_terms = 0;
	ULong sum = 0;

	for (UInt i = 0; i < set->n; i++) {
		const UInt cycles = event_table[set->events[i]].cycles;

		sum += cycles * totals[set->events[i]];
		n_terms += cycles != 0;
	}
	if (n_terms > 1) /* otherwise it would be Ir, and is left out of profiles */
		*value = sum;
	return n_terms > 1;
}

/* True if all events in a comma-separated list have values. */
static Bool have_values(const struct event_set *set, const HChar *names,
			const ULong totals[N_EVENTS])
{
	ULong ignored;

	while (*names != '\0') {
		const SizeT len = name_length(names);

		if (!event_value(set, names, len, totals, &ignored))
			return False;
		names += len + (names[len] == ',');
	}
	return True;
}

/* "Ir + 5 LLhit - L1m": what was not counted is left out. */
static Bool formula_value(const struct event_set *set, const HChar *formula,
			  const ULong totals[N_EVENTS], ULong *value)
{
	Bool is_minus = False, has_term = False;
	ULong sum = 0, weight = 1;

	while (*formula != '\0') {
		const SizeT len = name_length(formula);
		ULong term;

		if (len == 0) {
			is_minus = *formula == '-' || (is_minus && *formula == ' ');
			formula++;
			continue;
		}
		if (VG_(isdigit)(*formula)) {
			weight = VG_(strtoull10)(formula, NULL);
		} else {
			if (event_value(set, formula, len, totals, &term)) {
				sum += is_minus ? -weight * term : weight * term;
				has_term = True;
			}
			weight = 1;
			is_minus = False;
		}
		formula += len;
	}
	if (has_term)
		*value = sum;
	return has_term;
}

Bool event_value(const struct event_set *set, const HChar *name, SizeT len,
		 const ULong totals[N_EVENTS], ULong *value)
{
	for (UInt i = 0; i < set->n; i++) {
		const enum event event = set->events[i];

		if (!is_text(event_table[event].name, name, len))
			continue;
		if (event >= N_RUNNING_EVENTS)
			return False;
		*value = totals[event];
		return True;
	}
	if (is_text(EVENT_ESTIMATE, name, len))
		return estimate_value(set, totals, value);
	for (UInt i = 0; i < sizeof(derived_events) / sizeof(derived_events[0]); i++) {
		const struct derived_event *derived = &derived_events[i];

		if (is_text(derived->name, name, len))
			return have_values(set, derived->needs, totals) &&
			       formula_value(set, derived->formula, totals, value);
	}
	return False;
}
