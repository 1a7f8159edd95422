// SPDX-License-Identifier: GPL-3.0-or-later
// Which numbers are shown: the event, what it is divided by, the part, and what it is compared with.

// A var, and so the window's: for who looks at the page from outside.
var choice = {
	profile: null,
	measures: null,
	measure: null,
	// Another measure to divide by, 'calls' (not of a part), or null.
	per: null,
	totals: [], self: [], inclusive: [],
	// {title, totals, self, inclusive, lineCosts or null} or null.
	older: null,
	part: null,
};

function choose() {
	const {profile, measures} = choice;
	choice.measure = measures.get(get('event')) || measures.first;
	choice.per = get('per') === 'calls' ? 'calls' : measures.get(get('per'));
	choice.totals = profile.totals;
	choice.self = profile.functions.self;
	choice.inclusive = profile.functions.inclusive;
	choice.older = profile.older;
	choice.part = null;
	const part = Number(get('part') || 0) - 1;
	if (!profile.partSelf[part])
		return;
	choice.part = profile.parts[part];
	// Calls are of all parts.
	if (choice.per === 'calls')
		choice.per = null;
	[choice.totals, choice.self, choice.inclusive] =
		[choice.part.totals, profile.partSelf[part], profile.partInclusive[part]];
	const other = Number(get('with') || 0) - 1;
	choice.older = profile.partSelf[other] ? {
		title: profile.parts[other].name, totals: profile.parts[other].totals,
		self: profile.partSelf[other], inclusive: profile.partInclusive[other], lineCosts: null,
	} : null;
}

// The older profile, if the difference to it is what is shown: parts have no costs of arcs and lines.
function olderProfile() {
	return choice.older && choice.older === choice.profile.older ? choice.older : null;
}

function total() {
	return choice.measure.sum(choice.totals);
}

// Of what is known of all parts together only: arcs, and trees of calls.
function totalOfParts() {
	return choice.measure.sum(choice.profile.totals);
}

function ofAllParts() {
	return choice.part ? ', all parts' : '';
}

function selfColumn() {
	return choice.measure.column(choice.self);
}

function inclusiveColumn() {
	return choice.measure.column(choice.inclusive);
}

// New minus old, by function; which is 'self' or 'inclusive'.
const kept = new WeakMap();
function changeColumn(which) {
	const now = choice.measure.column(choice[which]);
	const before = choice.measure.column(choice.older[which]);
	const memory = kept.get(now);
	if (memory && memory.before === before)
		return memory.change;
	const result = now.map((value, i) => value - before[i]);
	kept.set(now, {before, change: result});
	return result;
}

// What a row is divided by, and what its older costs are; calls are of functions only.
function divisor() {
	const {per, older} = choice;
	const both = column => ({self: column, inclusive: column});
	if (per === 'calls')
		return {name: 'call', ...both(choice.profile.functions.calls), older: olderProfile() && both(older.calls)};
	return per ? {
		name: per.name,
		self: per.column(choice.self),
		inclusive: per.column(choice.inclusive),
		older: older && {self: per.column(older.self), inclusive: per.column(older.inclusive)},
	} : null;
}
