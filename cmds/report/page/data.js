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
	const result = new Float64Array(length);
	if (column)
		for (let i = 0; i < length; i++)
			result[i] = Number(column[i]);
	return result;
}

function indices(column, length) {
	const result = new Int32Array(length);
	if (column)
		result.set(column);
	return result;
}

// A column that holds the differences from one row to the next; addresses may exceed 32 bits.
function sums(column, length) {
	const result = new Float64Array(length);
	let sum = 0;
	for (let i = 0; i < length; i++)
		result[i] = sum += column ? Number(column[i]) : 0;
	return result;
}

function costColumns(columns, events, length) {
	const result = [];
	for (let i = 0; i < events; i++)
		result.push(numbers(columns && columns[i], length));
	return result;
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

function lengthOf(...columns) {
	return columns.reduce((length, column) => Math.max(length, column ? column.length : 0), 0);
}

function functionTable(raw, text, events) {
	const f = raw.functions;
	const length = f.name.length;
	const objects = raw.objects.map(text);
	const files = raw.files.map(text);
	const nameAt = indices(f.name, length);
	const table = {
		length,
		names: Array.from(nameAt, text),
		nameOrder: Int32Array.from(nameAt.keys()),
		object: indices(f.object, length),
		file: indices(f.file, length),
		cycle: indices(f.cycle, length),
		whole: numbers(f.whole, length),
		classes: Array.from(indices(f.class, length), text),
		calls: numbers(f.calls, length),
		self: costColumns(f.self, events, length),
		inclusive: costColumns(f.inclusive, events, length),
	};
	table.objectOf = i => objects[table.object[i]] || '';
	table.fileOf = i => files[table.file[i]] || '';
	return table;
}

function arcTable(raw, events, functions) {
	const length = lengthOf(raw.d_from, raw.to);
	const from = sums(raw.d_from, length);
	const to = indices(raw.to, length);
	return {
		length, from, to,
		count: numbers(raw.count, length),
		costs: costColumns(raw.costs, events, length),
		outOf: rowsBy(from, functions),
		into: rowsBy(to, functions),
	};
}

function lineTable(raw, events, functions) {
	const length = lengthOf(raw.d_function, raw.line);
	const ofFunction = sums(raw.d_function, length);
	return {
		length,
		function: ofFunction,
		file: indices(raw.file, length),
		line: indices(raw.line, length),
		to: indices(raw.to, raw.to ? length : 0),
		count: numbers(raw.count, raw.count ? length : 0),
		costs: costColumns(raw.costs, events, length),
		of: rowsBy(ofFunction, functions),
	};
}

// raw is of the newer profile, older the same of the other one, or null.
function codeOf(raw, older, text, events) {
	const length = lengthOf(raw.d_address, raw.text);
	const jumps = raw.jumps || {};
	const count = lengthOf(jumps.from, jumps.to);
	return {
		length,
		function: raw.function,
		address: sums(raw.d_address, length),
		text: row => text((raw.text || [])[row] || 0),
		file: indices(raw.file, length),
		line: indices(raw.line, length),
		costs: costColumns(raw.costs, events, length),
		jumps: Array.from({length: count}, (_, i) => ({
			from: jumps.from[i], to: jumps.to[i],
			taken: Number(jumps.taken ? jumps.taken[i] : 0),
			executed: Number(jumps.executed ? jumps.executed[i] : 0),
		})),
		note: raw.note || '',
		older: older && {
			way: older.way, file: older.file, why: older.why,
			costs: older.costs ? costColumns(older.costs, events, length) : null,
			isNew: new Set(older.d_new ? sums(older.d_new, older.d_new.length) : []),
			gone: older.gone || null,
		},
	};
}

// older: of the older profile by the same nodes, or null.
function treeOf(raw, older, events) {
	if (!raw)
		return null;
	const length = lengthOf(raw.d_parent, raw.function);
	return {
		exact: raw.exact === true,
		// It may have costs of some events only.
		events: new Set(raw.events || Array.from({length: events}, (_, i) => i)),
		length,
		parent: sums(raw.d_parent, length),
		function: indices(raw.function, length),
		costs: costColumns(raw.costs, events, length),
		older: older && {events: new Set(older.events), costs: costColumns(older.costs, events, length)},
	};
}

// By the rows of the newer profile.
function olderOf(raw, events, {functions, lines, arcs, calls}) {
	if (!raw)
		return null;
	return {
		title: raw.title || 'older',
		command: raw.command || '', headers: raw.headers || [],
		totals: raw.totals.map(Number),
		self: costColumns(raw.functions.self, events, functions),
		inclusive: costColumns(raw.functions.inclusive, events, functions),
		calls: numbers(raw.functions.calls, functions),
		arcs: {count: numbers(raw.arcs.count, arcs), costs: costColumns(raw.arcs.costs, events, arcs)},
		lineCalls: {count: numbers(raw.line_calls.count, calls), costs: costColumns(raw.line_calls.costs, events, calls)},
		lineCosts: costColumns(raw.lines && raw.lines.costs, events, lines),
	};
}

function partCosts(raw, key, events, functions) {
	return (raw[key] || []).map(columns => costColumns(columns, events, functions));
}

// The whole profile. Machine code is taken apart when its function is opened.
function profileOf(raw) {
	const text = index => raw.strings[index] || '';
	const events = raw.events.length;
	const functions = functionTable(raw, text, events);
	const lines = lineTable(raw.lines, events, functions.length);
	const arcs = arcTable(raw.arcs, events, functions.length);
	const lineCalls = lineTable(raw.line_calls || {}, events, functions.length);
	// Levels of recursion and the like are functions of one piece of code.
	const rawCode = new Map((raw.code || []).flatMap((code, i) =>
		(code.functions || [code.function]).map(index => [index, [code, raw.other ? raw.other.code[i] : null]])));
	const opened = new Map();
	return {
		title: raw.title, command: raw.command, creator: raw.creator,
		headers: raw.headers || [], events: raw.events, derived: raw.derived || [],
		mainEvent: raw.event,
		totals: raw.totals.map(Number), detail: raw.detail, leftOut: raw.left_out, lineless: raw.lineless,
		files: raw.files.map(text),
		functions, lines, arcs, lineCalls,
		parts: (raw.parts || []).map(part => ({...part, totals: part.totals.map(Number)})),
		partSelf: partCosts(raw, 'parts_self', events, functions.length),
		partInclusive: partCosts(raw, 'parts_inclusive', events, functions.length),
		branches: raw.branches || null, placement: raw.placement || null,
		types: typesOf(raw.types), objects: objectsOf(raw.data_objects), roofline: rooflineOf(raw.roofline),
		sources: raw.sources || [], taken: raw.taken || [], refused: raw.refused || [],
		code(index) {
			if (!opened.has(index) && rawCode.has(index))
				opened.set(index, codeOf(...rawCode.get(index), text, events));
			return opened.get(index) || null;
		},
		tree: treeOf(raw.tree, raw.other && raw.other.tree, events),
		older: olderOf(raw.other, events,
			{functions: functions.length, lines: lines.length, arcs: arcs.length, calls: lineCalls.length}),
	};
}
