// SPDX-License-Identifier: GPL-3.0-or-later
// Where to look: what stands out in a profile, each with its place, its numbers and a reason.  Findings are made by
// costgrind why (cmds/why/) and only drawn here.

// A finding is {kind, title, function, others, file, line, text, advice, evidence, event, callee}: others is
// how many more functions have code of the line; text says what it is and advice what to do, in a line each, and
// evidence has the numbers that support them, sentences that are folded away; the last one is there if a function is
// called.  Of data, it has name, link and key in place of a function and its line.

// Below this share nothing is said.
const SHARE_OF_COST = 0.02;

// The caches that were simulated, from the profile's headers: {I1, D1, LL} of {size, line, ways, sets, text}, the last
// one being what is said about policy and the like.
function cachesOf(headers) {
	const caches = {};
	for (const header of headers) {
		const match = /\b(I1|D1|L2|L3|LL) cache:\s*([\d,]+) B, (\d+) B, (\d+)-way/.exec(header) ||
			(/\b(I1|D1|L2|L3|LL) cache:\s*([\d,]+) B, (\d+) B, direct-mapped/.exec(header) || []).concat(['1']);
		if (match.length < 5)
			continue;
		const [size, line, ways] = [match[2].replaceAll(',', ''), match[3], match[4]].map(Number);
		const sets = size / line / ways;
		// What a file says about its caches may be anything.
		if (sets > 0 && Number.isInteger(sets))
			caches[match[1]] = {size, line, ways, sets, text: header.replace(/^.*?(-way associative|mapped),? ?/, '')};
	}
	return caches;
}

function cacheText(cache) {
	return `${bytes(cache.size)}, ${cache.sets} sets of ${cache.ways} lines of ${cache.line} B`;
}

// True if at least half of the cost is on lines with numbers; the program may have no debug information.
function knowsLines(profile, measure) {
	const column = measure.column(profile.lines.costs);
	return sumOf(column, (cost, row) => profile.lines.line[row] ? cost : 0) * 2 >= measure.sum(profile.totals);
}

// The dynamic loader (ld-linux-x86-64.so.2, ld-2.31.so): nobody changes its lines.
function isLoader(path) {
	return /^ld(-.*|64)?\.so(\.\d+)*$/.test(baseName(path));
}

// Lines, each with what it costs in all functions that have code of it (inlined, of a template, deeper in recursion);
// without lines, functions.
class Places {
	constructor(profile, main, byLine) {
		const {functions, lines} = profile;
		Object.assign(this, {profile, byLine, file: [], line: [], members: [], kept: new Map()});
		const rows = byLine ? lines.length : functions.length;
		this.of = new Int32Array(rows);
		const known = new Map();
		for (let row = 0; row < rows; row++) {
			const file = byLine ? lines.file[row] : functions.file[row];
			const line = byLine ? lines.line[row] : 0;
			const owner = byLine ? lines.function[row] : row;
			// Lines of files that are not known are not one line.
			const key = line && fileName(profile.files[file] || '') !== '(unknown file)' ? `${file}:${line}` :
				`${owner} ${line}`;
			if (!known.has(key)) {
				known.set(key, this.file.push(file) - 1);
				this.line.push(line);
				this.members.push([]);
			}
			this.of[row] = known.get(key);
			this.members[this.of[row]].push(row);
		}
		const cost = main.column(byLine ? lines.costs : functions.self);
		this.members.forEach(list => list.length > 1 && list.sort((a, b) => cost[b] - cost[a]));
	}

	get length() {
		return this.file.length;
	}

	// The functions of a place, the most expensive first.
	functions(place) {
		const rows = this.members[place];
		return this.byLine ? rows.map(row => this.profile.lines.function[row]) : rows;
	}

	column(measure, older = false) {
		const key = `${measure.name} ${older}`;
		if (this.kept.has(key))
			return this.kept.get(key);
		const {profile} = this;
		const costs = older ? this.byLine ? profile.older.lineCosts : profile.older.self :
			this.byLine ? profile.lines.costs : profile.functions.self;
		const sum = new Float64Array(this.length);
		measure.column(costs).forEach((cost, row) => sum[this.of[row]] += cost);
		this.kept.set(key, sum);
		return sum;
	}
}

// What is said about one line is kept together, in further reasons of the first finding of it.
function merged(list) {
	const byLine = new Map();
	for (const item of list) {
		const key = item.key || `${item.function} ${item.file} ${item.line}`;
		if (byLine.has(key))
			byLine.get(key).reasons.push(item);
		else
			byLine.set(key, {...item, reasons: [item]});
	}
	return [...byLine.values()];
}

// What a finding of data is about, as on a card: a view next to the one of functions.
function dataPlace({data, object, type}) {
	return data === undefined ? {} : object === undefined ?
		{name: data, link: linkTo({view: 'types', type}), key: `type ${type}`} :
		{name: data, link: linkTo({view: 'data', object}), key: `object ${object}`};
}

class Findings {
	constructor() {
		const {profile, measures} = choice;
		this.profile = profile;
		this.cost = measures.get(profile.why?.event) || measures.first;
		this.whole = this.cost.sum(profile.totals);
		this.byLine = knowsLines(profile, this.cost);
		this.places = new Places(profile, this.cost, this.byLine);
	}

	// True if functions are named in place of lines.
	namesFunctions() {
		return !this.byLine && this.whole > 0;
	}

	// What changed, and the rest by what it costs.
	all() {
		const {changes, why} = this.profile;
		return merged([...changes, ...why ? why.findings : []].map(item => this.drawn(item))).slice(0, 12);
	}

	drawn({class: kind, claim, function: index, line = 0, others = 0, advice = '', next_command: next = '', evidence,
		ruled_out: ruledOut = [], ...item}) {
		return {
			...item, ...dataPlace(item), kind, function: index, line, others, advice, next, text: claim,
			parts: evidence.parts ? evidence.parts.map(({term, class: color, share}) =>
				({text: term, kind: color, value: share})) : null,
			evidence: [...evidence.facts, ...ruledOut.map(text => `Ruled out: ${text}`)],
		};
	}
}
