// SPDX-License-Identifier: GPL-3.0-or-later
// The profile that is in the page: unpacked, and its columns as arrays of numbers.
// The format is described in docs/REPORT.md.

async function unpack(text) {
	const packed = atob(text.trim());
	const bytesOf = new Uint8Array(packed.length);
	for (let i = 0; i < packed.length; i++)
		bytesOf[i] = packed.charCodeAt(i);
	const stream = new Blob([bytesOf]).stream().pipeThrough(new DecompressionStream('gzip'));
	return unpackReport(JSON.parse(await new Response(stream).text()));
}

// A column of only zeros is written as 0; counts above 2^53 as texts, which lose digits here.
function numbers(column, length) {
	return column ? Float64Array.from(column, Number) : new Float64Array(length);
}

// A column that holds the differences from one row to the next; addresses may exceed 32 bits.
function sums(column) {
	let sum = 0;
	return Float64Array.from(column, difference => sum += Number(difference));
}

function costColumns(columns, length) {
	return columns.map(column => numbers(column, length));
}

// Rows of a table by the value of one of its columns: rows(value) is an array of row numbers.
function rowsBy(column, values) {
	const start = new Int32Array(values + 1);
	for (const value of column)
		start[value + 1]++;
	for (let i = 0; i < values; i++)
		start[i + 1] += start[i];
	const next = start.slice();
	const order = new Int32Array(column.length);
	for (let i = 0; i < column.length; i++)
		order[next[column[i]]++] = i;
	return value => order.subarray(start[value], start[value + 1]);
}

// The sum of what value(item, i) is of each.
function sumOf(list, value = item => item) {
	let sum = 0;
	list.forEach((item, i) => sum += value(item, i));
	return sum;
}

// Of the rows of a column those with keep(row), the most expensive first.
function dearest(column, most, keep) {
	return Array.from(column.keys()).filter(keep).sort((a, b) => column[b] - column[a]).slice(0, most);
}

// Names of Python's that say nothing without the file: "<module> json/__init__.py", before a level of recursion.
function namedByFile(name, object, path) {
	const match = object === '[python]' ? /^(<\w+>)('\d+)?$/.exec(name) : null;
	const file = path.split('/').slice(path.endsWith('/__init__.py') ? -2 : -1).join('/');
	return match ? `${match[1]} ${file}${match[2] || ''}` : name;
}

// Kinds of functions in a Python program, in the order in which they are of interest.
const PYTHON_KINDS = ['own code', 'packages', 'standard library', 'imports', 'C code'];

function pythonKind(index) {
	const {functions} = choice.profile;
	const path = functions.fileOf(index);
	if (functions.objectOf(index) !== '[python]')
		return 4;
	const isPackage = /\/(site|dist)-packages\//.test(path);
	if (!isPackage && !/^<(?!string>|stdin>)/.test(path) && !/\/lib(64)?\/python\d/.test(path))
		return 0;
	return path.startsWith('<frozen importlib') || functions.names[index].startsWith('<module> ') ? 3 : isPackage ? 1 : 2;
}

function isPythonProgram() {
	const {functions} = choice.profile;
	functions.arePython ??= functions.names.some((_, i) => functions.objectOf(i) === '[python]');
	return functions.arePython;
}

function functionTable(raw, text) {
	const f = raw.functions;
	const {length} = f.name;
	const [object, file] = [f.object, f.file].map(column => Int32Array.from(column));
	return {
		length, object, file,
		names: f.name.map((name, i) => namedByFile(text(name), text(raw.objects[object[i]]), text(raw.files[file[i]]))),
		nameOrder: Int32Array.from(f.name.keys()),
		cycle: Int32Array.from(f.cycle),
		whole: numbers(f.whole, length),
		classes: f.class.map(text),
		calls: numbers(f.calls, length),
		self: costColumns(f.self, length),
		inclusive: costColumns(f.inclusive, length),
		objectOf: i => text(raw.objects[object[i]]),
		fileOf: i => text(raw.files[file[i]]),
	};
}

function arcTable(raw, functions) {
	const {length} = raw.to;
	const from = sums(raw.d_from);
	const to = Int32Array.from(raw.to);
	return {
		length, from, to,
		count: numbers(raw.count, length),
		costs: costColumns(raw.costs, length),
		outOf: rowsBy(from, functions),
		into: rowsBy(to, functions),
	};
}

// Self costs with library costs charged to their callers, and who these are; null if there is nothing to charge.
function chargesOf(raw, {length}) {
	return !raw ? null : {
		isPython: raw.to === 'python', isExact: raw.exact, imports: raw.imports === null ? -1 : raw.imports,
		isOwn: Uint8Array.from(raw.is_own), self: costColumns(raw.self, length),
		function: Int32Array.from(raw.function), caller: Int32Array.from(raw.caller), part: Float64Array.from(raw.part),
		of: rowsBy(Int32Array.from(raw.function), length),
	};
}

// Of lines, or of calls from them.
function lineTable(raw, functions) {
	const {length} = raw.line;
	const ofFunction = sums(raw.d_function);
	return {
		length,
		function: ofFunction,
		file: Int32Array.from(raw.file),
		line: Int32Array.from(raw.line),
		to: Int32Array.from(raw.to || []),
		count: numbers(raw.count, 0),
		costs: costColumns(raw.costs, length),
		of: rowsBy(ofFunction, functions),
	};
}

// raw is of the newer profile, older the same of the other one, or null.
function codeOf(raw, older, text) {
	const {length} = raw.text;
	const {jumps} = raw;
	return {
		length,
		function: raw.function,
		address: sums(raw.d_address),
		text: row => text(raw.text[row]),
		file: Int32Array.from(raw.file),
		line: Int32Array.from(raw.line),
		costs: costColumns(raw.costs, length),
		jumps: jumps.from.map((from, i) => ({
			from, to: jumps.to[i], taken: Number(jumps.taken[i]), executed: Number(jumps.executed[i]),
		})),
		note: raw.note,
		older: older && {
			way: older.way, file: older.file, why: older.why,
			costs: older.costs ? costColumns(older.costs, length) : null,
			isNew: new Set(sums(older.d_new || [])),
			gone: older.gone || null,
		},
	};
}

// older: of the older profile by the same nodes, or null.
function treeOf(raw, older) {
	if (!raw)
		return null;
	const {length} = raw.function;
	return {
		exact: raw.exact,
		// It may have costs of some events only.
		events: new Set(raw.events),
		length,
		parent: sums(raw.d_parent),
		function: Int32Array.from(raw.function),
		costs: costColumns(raw.costs, length),
		older: older && {events: new Set(older.events), costs: costColumns(older.costs, length)},
	};
}

// By the rows of the newer profile.
function olderOf(raw, {functions, lines, arcs, calls}) {
	return raw && {
		title: raw.title || 'older',
		command: raw.command, headers: raw.headers,
		totals: raw.totals.map(Number),
		self: costColumns(raw.functions.self, functions),
		inclusive: costColumns(raw.functions.inclusive, functions),
		calls: numbers(raw.functions.calls, functions),
		arcs: {count: numbers(raw.arcs.count, arcs), costs: costColumns(raw.arcs.costs, arcs)},
		lineCalls: {count: numbers(raw.line_calls.count, calls), costs: costColumns(raw.line_calls.costs, calls)},
		lineCosts: costColumns(raw.lines.costs, lines),
	};
}

// The whole profile. Machine code is taken apart when its function is opened.
function profileOf(raw) {
	const text = index => raw.strings[index] || '';
	const functions = functionTable(raw, text);
	const {length} = functions;
	const lines = lineTable(raw.lines, length);
	const arcs = arcTable(raw.arcs, length);
	const lineCalls = lineTable(raw.line_calls, length);
	const partCosts = parts => (parts || []).map(columns => costColumns(columns, length));
	// Levels of recursion and the like are functions of one piece of code.
	const rawCode = new Map(raw.code.flatMap((code, i) =>
		code.functions.map(index => [index, [code, raw.other && raw.other.code[i]]])));
	const opened = new Map();
	return {
		title: raw.title, command: raw.command, creator: raw.creator,
		headers: raw.headers, events: raw.events, derived: raw.derived,
		mainEvent: raw.event, levels: raw.memory_levels || [],
		totals: raw.totals.map(Number), detail: raw.detail, leftOut: raw.left_out, lineless: raw.lineless,
		files: raw.files.map(text),
		functions, lines, arcs, lineCalls, charges: chargesOf(raw.charges, functions),
		parts: raw.parts.map(part => ({...part, totals: part.totals.map(Number)})),
		partSelf: partCosts(raw.parts_self),
		partInclusive: partCosts(raw.parts_inclusive),
		branches: branchesOf(raw.branches), layout: raw.layout || null,
		why: raw.why || null, changes: raw.changes || [],
		types: typesOf(raw.types), objects: objectsOf(raw.data_objects), roofline: rooflineOf(raw.roofline),
		regions: regionsOf(raw.regions),
		sources: raw.sources, taken: raw.taken, refused: raw.refused,
		code(index) {
			if (!opened.has(index) && rawCode.has(index))
				opened.set(index, codeOf(...rawCode.get(index), text));
			return opened.get(index) || null;
		},
		tree: treeOf(raw.tree, raw.other && raw.other.tree),
		older: olderOf(raw.other, {functions: length, lines: lines.length, arcs: arcs.length, calls: lineCalls.length}),
	};
}

// -- measures --

// What costs are measured in: events that were recorded, sums of them, and how they are explained.

// What a miss or a misprediction is taken to cost, in cycles, if the profile does not say.
const USUAL_COSTS = {D1m: CYCLES.L1_MISS, DLm: CYCLES.LL_MISS, Bm: CYCLES.MISPREDICTION};

// Of what is counted in tenths, as cycles are, people see wholes.
class Measure {
	constructor({name, long, decimals = 0}, weights) {
		this.name = name;
		this.long = decimals && partText(name) || (decimals ? long.replace(' (tenths)', '') : long) || name;
		this.weights = weights;
		this.scale = 10 ** decimals;
		this.kept = new WeakMap();
	}

	// Of costs that are columns by event: one column of this measure.  It is kept.
	column(costs) {
		let column = this.kept.get(costs);
		if (column)
			return column;
		const used = this.weights.map((weight, i) => [weight, costs[i]]).filter(([weight]) => weight);
		if (used.length === 1 && used[0][0] === 1 && this.scale === 1) {
			column = used[0][1];
		} else {
			column = new Float64Array(costs.length ? costs[0].length : 0);
			for (const [weight, source] of used)
				for (let i = 0; i < column.length; i++)
					column[i] += weight * source[i];
			if (this.scale !== 1)
				for (let i = 0; i < column.length; i++)
					column[i] /= this.scale;
		}
		this.kept.set(costs, column);
		return column;
	}

	// Of one number for each event.
	sum(totals) {
		return sumOf(this.weights, (weight, i) => weight * totals[i]) / this.scale;
	}

	// Of one row, without making a column.
	at(costs, row) {
		let sum = 0;
		for (let i = 0; i < this.weights.length; i++)
			if (this.weights[i])
				sum += this.weights[i] * costs[i][row];
		return sum / this.scale;
	}
}

function measuresOf(profile) {
	const names = profile.events.map(event => event.name);
	const list = names.map((_, i) => new Measure(profile.events[i], names.map((_, k) => k === i ? 1 : 0)));
	for (const derived of profile.derived)
		list.push(new Measure(derived, derived.weights));
	for (const measure of list)
		measure.isOwn = measure.weights.some((weight, i) => weight && OWN_EVENTS.includes(names[i]));
	const byName = new Map(list.map(measure => [measure.name, measure]));
	const get = name => byName.get(name) || null;
	const first = list[profile.mainEvent];
	// Cycles of the machine, not events of that name in other files, unless a formula asks for them.
	const stack = get(EVENT_NAMES.CYBASE) && get(EVENT_NAMES.CYMEM) && first !== get('EstCyc') ? get('Cyc') : null;
	return {
		list, get, stack,
		cycles: stack || get('EstCyc') || get('CEst'),
		first: first || new Measure({name: 'none', long: 'No event was recorded'}, []),
	};
}

// What estimated cycles consist of: [text, class, of EVENT_COSTS].
const CYCLE_PARTS = [
	['executing', 'exec', 'REFERENCE'],
	['first-level misses', 'l1', 'L1_MISS'],
	['last-level misses', 'll', 'LL_MISS'],
	['mispredictions', 'branch', 'MISPREDICTION'],
];

// The same of cycles that were counted: [text, class, event, explanation].
const STACK_PARTS = [
	['exec', EVENT_NAMES.CYBASE, 'the core issues as many instructions as its width and its ports allow'],
	['results', EVENT_NAMES.CYDEP, 'latency: instructions wait for the results of earlier ones'],
	['front', EVENT_NAMES.CYFE, 'the core waits for code to be fetched'],
	['branch', EVENT_NAMES.CYBR, 'work lost to mispredicted branches and to jumps whose target was unknown'],
	['ll', EVENT_NAMES.CYMEM, 'the core waits for data that is not in the first-level cache'],
	['tlb', EVENT_NAMES.CYTLB, 'the core waits for addresses to be translated'],
].map(([kind, event, help]) => [CYCLE_TERMS[event], kind, event, help]);

// How the page explains a part of cycles, whatever words the profile has for it; or null.
function partText(name) {
	const part = STACK_PARTS.find(([,, event]) => event === name);
	return part ? `Cycles, ${part[0]} (${part[3]})` : null;
}

// [{text, kind, value}] of one row of costs (given as a function of the event's index); the rest is "other".
function cycleParts(profile, measure, costOf) {
	if (measure === choice.measures.stack) {
		const at = name => profile.events.findIndex(event => event.name === name);
		return STACK_PARTS.map(([text, kind, event, help]) => ({text, kind, event, help, value: at(event) < 0 ? 0 :
			costOf(at(event)) / measure.scale})).filter(part => part.value > 0);
	}
	const parts = CYCLE_PARTS.map(([text, kind]) => ({text, kind, value: 0}));
	const rest = {text: 'other', kind: 'other', value: 0};
	profile.events.forEach((event, i) => {
		const at = CYCLE_PARTS.findIndex(part => part[2] === EVENT_COSTS[event.name]);
		(at < 0 ? rest : parts[at]).value += measure.weights[i] * costOf(i) / measure.scale;
	});
	return [...parts, rest].filter(part => part.value > 0);
}

// What cycles are mostly spent on, in a word: a part or, of memory, the level whose hits cost most; '' if that is not
// known.
function mostlyOf(costOf) {
	const {profile, measures: {stack}} = choice;
	const parts = stack ? cycleParts(profile, stack, costOf) : [];
	if (!parts.length)
		return '';
	const {event} = parts.reduce((a, b) => b.value > a.value ? b : a);
	const countOf = name => {
		const i = profile.events.findIndex(one => one.name === name);
		return i < 0 ? NaN : costOf(i);
	};
	/* As mostly_is_string() has it. */
	if (event === EVENT_NAMES.CYBASE && countOf('Rep') / 4 > countOf('Ir'))
		return 'string ops';
	return event === EVENT_NAMES.CYMEM && levelOf(costOf) || CYCLE_WORDS[event];
}

// A line that is written counts a quarter of one that is read, as in profile/analysis/mostly.h.
function levelOf(costOf) {
	const costs = choice.profile.levels.map(({asked, missed, cycles}) => {
		const served = [0, 1].map(k => Math.max(0, (asked[k] === null ? 0 : costOf(asked[k]))
			- (missed[k] === null ? 0 : costOf(missed[k]))));
		return (served[0] + served[1] / 4) * cycles;
	});
	const most = Math.max(0, ...costs);
	return most > 0 ? choice.profile.levels[costs.indexOf(most)].name : '';
}

// Rates of a whole run or of one row: [name, value as text, explanation], where both events are there.
function ratesOf(measures, totals) {
	const value = name => {
		const measure = measures.get(name);
		return measure ? measure.sum(totals) : NaN;
	};
	const rates = [
		['D1 miss rate', value('D1m'), value('Drefs'), 'First-level data misses for each data reference'],
		['LLd miss rate', value('DLm'), value('Drefs'), 'Last-level data misses for each data reference'],
		['I1 miss rate', value('I1mr'), value('Ir'), 'First-level instruction misses for each instruction'],
		['Mispredict rate', value('Bm'), value('Branches'), 'Branches mispredicted for each branch executed'],
	].filter(([, part, whole]) => part / whole >= 0.0001)
		.map(([name, part, whole, help]) => [name, percent(part, whole), help]);
	if (measures.stack && value('Ir') > 0 && value('Cyc') > 0)
		rates.unshift(['Instr. per cycle', (value('Ir') / value('Cyc')).toFixed(2),
			'Instructions executed in each simulated cycle, on average (IPC)']);
	for (const [name, event, what] of [['D1 misses', 'D1m', 'First-level data misses'],
		['L2 misses', 'L2m', 'Misses of L2, of instructions and data'],
		['LL misses', 'LLm', 'Last-level misses, of instructions and data'],
		['Mispredictions', 'Bm', 'Mispredicted branches']])
		if (Number.isFinite(value(event)) && value('Ir') > 0)
			rates.push([`${name} per 1,000 instr.`, (value(event) / value('Ir') * 1000).toFixed(2),
				`${what} for each thousand instructions (MPKI)`]);
	return rates;
}
