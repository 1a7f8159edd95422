// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown is in the address, so that it can be sent, bookmarked and gone back from.
// Functions go by name, and by a number if several have that name.

const state = {
	values: new Map(),
	listeners: [],
	profile: null,
	// Numbers of the functions of a name.
	named: new Map(),
};

function stateBegin(profile) {
	state.profile = profile;
	profile.functions.names.forEach((name, i) => {
		if (state.named.has(name))
			state.named.get(name).push(i);
		else
			state.named.set(name, [i]);
	});
	window.addEventListener('hashchange', stateRead);
	window.addEventListener('popstate', stateRead);
	stateRead();
}

function stateRead() {
	const before = stateText();
	state.values = new Map(new URLSearchParams(location.hash.slice(1)));
	// Who names a function only wants to see it.
	if (state.values.has('fn') && !state.values.has('view'))
		state.values.set('view', 'function');
	if (stateText() !== before || !state.values.size)
		state.listeners.forEach(listener => listener());
}

function stateText() {
	return [...state.values].map(([key, value]) =>
		`${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
}

function get(key) {
	return state.values.get(key) || '';
}

function changed(changes) {
	const values = new Map(state.values);
	for (const [key, value] of Object.entries(changes))
		if (value === '' || value === null || value === undefined)
			values.delete(key);
		else
			values.set(key, key === 'file' && typeof value === 'number' ? fileKey(value) : String(value));
	return values;
}

// A link's address.
function linkTo(changes) {
	return '#' + new URLSearchParams([...changed(changes)]).toString();
}

// Goes there; with quietly, without a step to go back from (as while typing).
function go(changes, quietly = false) {
	state.values = changed(changes);
	history[quietly ? 'replaceState' : 'pushState'](null, '', '#' + stateText());
	state.listeners.forEach(listener => listener());
}

function functionKeys(index) {
	const name = state.profile.functions.names[index];
	const nth = state.named.get(name).indexOf(index);
	return {fn: name, n: nth ? nth : ''};
}

// The function that is chosen, or -1.
function chosenFunction() {
	const same = state.named.get(get('fn')) || [];
	const nth = Number(get('n') || 0);
	return same.length ? same[Math.min(nth, same.length - 1)] || same[0] : -1;
}

// Puts what is shown without having been chosen into the address.
function settle(changes) {
	if (Object.entries(changes).every(([key, value]) => get(key) === String(value)))
		return;
	state.values = changed(changes);
	history.replaceState(null, '', '#' + stateText());
}

// The function to show: without a choice the most expensive one, as an empty page helps nobody; whom the address
// is sent to sees the same one.
function functionToShow() {
	const chosen = chosenFunction();
	const index = chosen < 0 ? argMax(selfColumn()) : chosen;
	if (index >= 0 && get('fn') === '')
		settle(functionKeys(index));
	return index;
}

function unknownFunction() {
	return get('fn') !== '' && chosenFunction() < 0 ?
		`${shorten(get('fn'), 60)} is not in this profile: this is what costs most` : '';
}

// A file by the last part of its path, if no other file has the same one.
function fileKey(index) {
	const {files} = state.profile;
	const name = baseName(files[index] || '');
	return files.filter(path => baseName(path) === name).length > 1 ? files[index] : name;
}

// The file that is chosen; it once was an index.
function chosenFile(otherwise) {
	const {files} = state.profile;
	const key = get('file');
	if (key === '')
		return otherwise;
	const found = [files.indexOf(key), files.findIndex(path => baseName(path) === key)].find(index => index >= 0);
	return found !== undefined ? found : files[Number(key)] === undefined ? otherwise : Number(key);
}

function functionLink(index, extra = {}) {
	return linkTo({...functionKeys(index), view: 'function', line: '', file: '', ...extra});
}

function openFunction(index, extra = {}) {
	go({...functionKeys(index), view: 'function', line: '', file: '', ...extra});
}

// -- numbers --

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

// Where the cost of libraries is shown, if chosen: with them ("apart") or with the code that calls them ("charged").
// Else each view decides.
const LIBRARY_CHOICES = [['charged', 'with its callers'], ['apart', 'by itself']];

function chargesAre(otherwise) {
	return choice.profile.charges !== null && !get('part') && (get('library') || otherwise) === 'charged';
}

// A switch for it, where there is something to choose.
function libraryPick(otherwise) {
	const {charges} = choice.profile;
	return charges && !get('part') ? select(charges.isPython ? 'C code' : 'Library code', LIBRARY_CHOICES,
		get('library') || otherwise, value => go({library: value === otherwise ? '' : value})) : null;
}

// How that is known, for explanations.
function chargedHelp() {
	const {isPython, isExact} = choice.profile.charges;
	const what = isPython ? 'what C code costs is charged to the Python function that it runs for; all that is done ' +
		'while modules are imported has a row of its own' :
		'what libraries and their templates cost is charged to the first caller whose source is the program\u2019s own';
	return what + (isExact ? '' : ', in proportion to the costs of the calls');
}

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
	if (chargesAre('apart') && get('view') === 'functions')
		choice.self = profile.charges.self;
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

// Of what is known about all parts together only: arcs, and trees of calls.
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
