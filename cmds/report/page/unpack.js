/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts back what the data leaves out since it can be computed (docs/REPORT.md): names that are pairs,
 * inclusive costs, calls that are the last of their callee, lines, texts of instructions.  Changes the object it
 * is given; columns whose names begin with d_ stay as they are.
 */

/* Column of sums: [3, 0, 2] becomes [3, 3, 5]. */
function reportSums(differences) {
	const sums = new Array(differences.length);
	let sum = 0;

	for (let i = 0; i < differences.length; i++)
		sums[i] = sum += Number(differences[i]);
	return sums;
}

/* A column of costs of its own: 0 is n zeros. */
function reportColumn(column, n) {
	return column === 0 ? new Float64Array(n) : Float64Array.from(column);
}

function unpackStrings(strings) {
	for (let i = 0; i < strings.length; i++)
		if (typeof strings[i] !== 'string')
			strings[i] = strings[strings[i][0]] + "'" + strings[strings[i][1]];
}

/* The last arc to each function from another one, without arcs that only the older profile has; -1 = none. */
function lastArcs(n, from, to, only) {
	const last = new Int32Array(n).fill(-1);

	for (let i = 0; i < to.length; i++)
		if (from[i] !== to[i] && !only.has(i))
			last[to[i]] = i;
	return last;
}

/*
 * Arcs to a function that is in no cycle add up to its inclusive cost, which is its self cost plus the cost of
 * its arcs to others: so functions come after all that they call.
 */
function unpackArcs(data) {
	const functions = data.functions, arcs = data.arcs, n = functions.name.length;
	const from = reportSums(arcs.d_from), to = arcs.to, cycle = functions.cycle;
	const only = new Set(data.other ? reportSums(data.other.arcs.d_only) : []);
	const last = lastArcs(n, from, to, only), events = data.events.length;
	const inclusive = functions.self.map((column) => reportColumn(column, n));
	const costs = arcs.p_costs.map((column) => reportColumn(column, to.length));
	const incoming = inclusive.map(() => new Float64Array(n));
	const count = Array.from(arcs.p_count), called = new Float64Array(n);
	const pending = new Int32Array(n), whole = reportColumn(functions.whole || 0, n), ready = [];

	for (let i = 0; i < to.length; i++) {
		const caller = from[i], callee = to[i];

		if (caller === callee)
			continue;
		called[callee] += count[i];
		if (last[callee] === i && cycle[callee] === 0) {
			pending[caller]++;
			continue;
		}
		for (let e = 0; e < events; e++) {
			incoming[e][callee] += costs[e][i];
			if (cycle[caller] === 0 || cycle[caller] !== cycle[callee] || whole[caller])
				inclusive[e][caller] += costs[e][i];
		}
	}
	for (let i = 0; i < n; i++) {
		if (last[i] >= 0)
			count[last[i]] += functions.calls[i] - called[i];
		if (pending[i] === 0)
			ready.push(i);
	}
	while (ready.length > 0) {
		const callee = ready.pop(), arc = last[callee];

		if (arc < 0 || cycle[callee] !== 0)
			continue;
		for (let e = 0; e < events; e++) {
			costs[e][arc] += inclusive[e][callee] - incoming[e][callee];
			inclusive[e][from[arc]] += costs[e][arc];
		}
		if (--pending[from[arc]] === 0)
			ready.push(from[arc]);
	}
	functions.inclusive = inclusive;
	arcs.count = count;
	arcs.costs = costs;
}

/* The last call of a function from any line of another has what is left of the arc. */
function unpackLineCalls(data) {
	const calls = data.line_calls, arcs = data.arcs, n = data.functions.name.length;
	const row = reportSums(calls.d_function), to = calls.to, from = reportSums(arcs.d_from);
	const count = Array.from(calls.p_count);
	const costs = calls.p_costs.map((column) => reportColumn(column, to.length));
	const groups = new Map();

	for (let i = 0; i < to.length; i++) {
		const key = row[i] * n + to[i];

		if (groups.has(key))
			groups.get(key).push(i);
		else
			groups.set(key, [i]);
	}
	for (let a = 0; a < from.length; a++) {
		const group = groups.get(from[a] * n + arcs.to[a]);

		if (!group)
			continue;
		const last = group[group.length - 1];

		count[last] = arcs.count[a];
		costs.forEach((column, e) => { column[last] = arcs.costs[e][a]; });
		for (const i of group.slice(0, -1)) {
			count[last] -= count[i];
			costs.forEach((column) => { column[last] -= column[i]; });
		}
	}
	calls.count = count;
	calls.costs = costs;
}

/* A column of the older profile: what is to be added to the newer one's; each may be 0, for zeros. */
function addToColumn(column, newer) {
	if (column === 0)
		return newer;
	return column.map((value, i) => value + Number(newer === 0 ? 0 : newer[i]));
}

/* Of a table of the older profile: one column, and columns for each event. */
function unpackOlder(older, newer, single, several) {
	if (single)
		older[single] = addToColumn(older['p_' + single], newer[single]);
	for (const name of several)
		older[name] = older['p_' + name].map((column, e) => addToColumn(column, newer[name][e]));
}

/* Instructions begin where the one before ends, but for p_size. */
function unpackSizes(code) {
	code.size = code.p_size.map((size, i) => Number(size) + Number(code.d_address[i + 1] || 0));
}

/* Lines, which mostly rise; they are there as they are if one of them is very large. */
function unpackLines(table) {
	if (table.d_line)
		table.line = reportSums(table.d_line);
}

/*
 * Texts of instructions: 0 is the one after all that were named so far, another one counts from the first
 * one, up from 1 and down from -1.
 */
function unpackTexts(data) {
	const first = data.first_text;
	let next = first;

	for (const code of data.code) {
		code.text = code.p_text.map((number) => {
			const text = number === 0 ? next : first + number - (number > 0 ? 1 : 0);

			next = Math.max(next, text + 1);
			return text;
		});
	}
}

/* The data as it is described; returns it. */
function unpackReport(data) {
	unpackStrings(data.strings);
	if (data.arcs.p_costs) {
		unpackArcs(data);
		unpackLineCalls(data);
	}
	if (data.other && data.other.arcs.p_costs) {
		unpackOlder(data.other.functions, data.functions, 'calls', ['self', 'inclusive']);
		unpackOlder(data.other.arcs, data.arcs, 'count', ['costs']);
		unpackOlder(data.other.line_calls, data.line_calls, 'count', ['costs']);
		unpackOlder(data.other.lines, data.lines, '', ['costs']);
		if (data.other.tree && data.other.tree.p_costs)
			unpackOlder(data.other.tree, data.tree, '', ['costs']);
		data.other.code.forEach((code, i) => code.p_costs && unpackOlder(code, data.code[i], '', ['costs']));
	}
	[data.lines, data.line_calls, ...data.code].forEach(unpackLines);
	unpackTexts(data);
	data.code.forEach(unpackSizes);
	return data;
}
