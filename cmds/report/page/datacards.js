// SPDX-License-Identifier: GPL-3.0-or-later
// Cards of data: objects that most misses are on, and structs whose hot members are on more lines than need be.

const LINE_BYTES = 64;
// Objects with less of a level's misses have no card, nor have structs of which an order saves less of their lines.
const SHARE_OF_MISSES = 0.1;
const SHARE_OF_LINES = 0.1;
const MOST_DATA_CARDS = 3;
// Offsets, and members, that are named.
const MOST_NAMED = 6;
// Levels, the last one first: what they are called, and the events of their misses.
const DATA_LEVELS = [['LL', ['DLmr', 'DLmw']], ['L3', ['L3dr', 'L3dw']], ['L2', ['L2dr', 'L2dw']],
	['D1', ['D1mr', 'D1mw']]];

// Bytes used of a line that came into D1, {bytes, line}; null if that was not counted (--cacheuse=yes).
function usedBytes({events}, costs) {
	const [lines, lost] = ['Lines', 'SpLoss1'].map(name => events.findIndex(event => event.name === name));
	const line = cachesOf(choice.profile.headers).D1?.line || LINE_BYTES;
	return lines >= 0 && lost >= 0 && costs[lines] > 0 ? {line, bytes: line - costs[lost] / costs[lines]} : null;
}

// What an object is, within a sentence.
function objectText(row) {
	const {sites: [site], size} = objectParts(row);
	switch (row.kind) {
	case '[heap]': case '[mappings]':
		return `${row.type ? row.type.text : size ? `blocks of ${size}` : 'memory'} allocated by ${site}`;
	case '[allocators]':
		return `what the allocator that ${site} calls touches itself`;
	case '[stack]':
		return `the stack of ${site}`;
	default:
		return row.kind.startsWith('[') ? `${site}, ${row.kind}` : `${site} of ${kindText(row.kind)}`;
	}
}

// Members, or where these are not known offsets, that together have nine tenths of the misses.
function missedAt(row, measure) {
	const cost = part => measure.sum(part.costs);
	let sum = 0;
	const parts = row.type?.members.length ? row.type.members : row.pieces;
	const list = [...parts].sort((a, b) => cost(b) - cost(a)).filter(part => {
		const isNeeded = sum < cost(row) * 0.9;
		sum += cost(part);
		return isNeeded;
	});
	return list.sort((a, b) => a.offset - b.offset).map(({name, size, offset}) =>
		name === undefined ? String(offset) : size ? `${nameOf({name})} (${offset})` : name);
}

// Cycles of waiting for data, by what is known of it.
function waitOf({measures, profile}, costs) {
	const wait = measures.stack && measures.get(EVENT_NAMES.CYMEM);
	return wait ? wait.sum(costs) : sumOf(profile.events, ({name}, i) =>
		/^D[1L]m[rw]$/.test(name) ? eventWeight(name) * costs[i] : 0);
}

// The card of an object, or null.
function objectCard(row, measure, weight) {
	const {objects} = choice.profile;
	const levels = DATA_LEVELS.map(([name, events]) => {
		const at = events.map(event => objects.events.findIndex(other => other.name === event)).filter(i => i >= 0);
		return {name, at, missed: costs => sumOf(at, i => costs[i])};
	}).filter(({at}) => at.length);
	// The level that the object costs most by: the last one whose misses are half of it.
	const level = levels.find(({at}) => sumOf(at, i => measure.weights[i] * row.costs[i]) / measure.scale >=
		measure.sum(row.costs) / 2) || levels.at(-1);
	const share = level ? level.missed(row.costs) / level.missed(objects.totals) : 0;
	if (!(share >= SHARE_OF_MISSES))
		return null;
	const used = usedBytes(objects, row.costs);
	const places = missedAt(row, measure);
	const hasMembers = row.type?.members.length > 0;
	const fields = places.length && places.length <= MOST_NAMED && (hasMembers || places.length > 1) ?
		` Misses are ${hasMembers ? 'on' : 'at offsets'} ${places.join(', ')}.` : '';
	const isSpread = used ? used.bytes < used.line / 2 : fields && row.kind === '[heap]';
	const {sites} = objectParts(row);
	const shareOf = user => `${shortName(user.name, 40)} (${percent(measure.sum(user.costs), measure.sum(row.costs))})`;
	return {
		kind: level.name === 'D1' ? 'l1' : 'll', title: `Data: ${level.name} misses`,
		name: row.type ? row.type.text : sites[0],
		link: linkTo({view: 'data', object: row.key}), key: `object ${row.key}`, weight,
		text: `${percent(share, 1)} of all ${level.name} misses of data are on ${objectText(row)}` +
			(used ? `: ${quotient(used.bytes)} of ${used.line} bytes of each line are used.` : '.') + fields,
		advice: row.kind === '[allocators]' ? 'Allocate less often: keep blocks, or take them from a pool.' :
			isSpread ? 'Have beside each other what is used together, the rest elsewhere.' :
				'Make it smaller, use it again sooner, or go through it in order.',
		evidence: [`${levels.map(({name, missed}) => `${count(missed(row.costs))} of ${count(missed(objects.totals))} ` +
			`${name} misses`).join(', ')}.`,
		...row.users.length ? [`By ${row.users.slice(0, 4).map(shareOf).join(', ')}.`] : [],
		...sites.length > 1 ? [`Allocated by ${sites.join(' < ')}.`] : []],
	};
}

function someOf(names) {
	return names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? ' \u2026' : '');
}

// The card of a struct, or null.
function typeCard({text, key, size, layout}, waits) {
	const {line} = choice.profile.types;
	const [fewer, smaller] = [1 - layout.better_lines / layout.lines, 1 - layout.better_size / size];
	if (Math.max(fewer, smaller) < SHARE_OF_LINES)
		return null;
	return {
		kind: 'l1', title: fewer >= smaller ? 'Hot members on different lines' : 'Holes in a struct', name: text,
		link: linkTo({view: 'types', type: key}), key: `type ${key}`, weight: waits * Math.max(fewer, smaller),
		text: fewer >= smaller ? `${someOf(hotNames(layout))} of ${text} are hot, and touch ` +
			`${layout.lines.toFixed(2)} lines of ${line} B on average.` :
			`${text} has ${count(layout.holes)} B of holes in ${count(size)} B.`,
		advice: `Order ${someOf(newOrder(layout).map(nameOf))}: ${orderText(layout)}.`,
		evidence: [`Hot members have 95 % of all references. ${count(size)} B, ${linesText(size, line)}; ` +
			`${count(Math.round(waits))} cycles are waits for it.`,
		'What begins as another struct does, is read by other programs, or is written by several threads, has its order ' +
			'for a reason.'],
	};
}

// Puts those that cost most into the findings' list.
function findData(findings) {
	const {types, objects} = choice.profile;
	const put = (list, card) => list.sort((a, b) => b.cost - a.cost).slice(0, MOST_DATA_CARDS)
		.forEach(({row, cost}) => findings.list.push(...[card(row, cost)].filter(Boolean)));
	if (objects) {
		const measure = objects.measures.cycles || objects.measures.first;
		const whole = measure.sum(objects.totals) || 1;
		const waits = waitOf(findings, choice.profile.totals);
		put(objects.rows.filter(({isRest, kind}) => !isRest && kind !== '[code]')
			.map(row => ({row, cost: measure.sum(row.costs) / whole * waits})), (row, cost) => objectCard(row, measure, cost));
	}
	if (types)
		put(types.rows.filter(({layout}) => layout && layout.better).map(row => ({row, cost: waitOf(findings, row.costs)})),
			typeCard);
}
