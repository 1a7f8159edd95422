// SPDX-License-Identifier: GPL-3.0-or-later
// Where to look: what stands out in a profile, each with its place, its numbers and a reason.  A finding is
// {kind, title, function, file, line, weight, text, advice, event, callee}, the last two if there are an event
// that shows it and a function called; weight orders them, in estimated cycles.

// What a miss or a misprediction is taken to cost if the profile does not say: Callgrind's customary figures.
const USUAL_WEIGHTS = {D1mr: 10, DLmr: 100, Bcm: 10};

// Below these shares nothing is said.
const SHARE_OF_EVENT = 0.005;
const SHARE_OF_COST = 0.001;
const MANY_CALLS = 1000;

function eventWeight(name) {
	const {profile, measures} = choice;
	const cycles = measures.get('EstCyc') || measures.get('CEst');
	const at = profile.events.findIndex(event => event.name === name);
	return cycles && at >= 0 && cycles.weights[at] || USUAL_WEIGHTS[name] || 1;
}

// The caches that were simulated, from the profile's headers: {I1, D1, LL} of {size, line, ways, sets}.
function cachesOf(headers) {
	const caches = {};
	for (const header of headers) {
		const match = /\b(I1|D1|L2|LL) cache:\s*([\d,]+) B, (\d+) B, (\d+)-way/.exec(header) ||
			(/\b(I1|D1|L2|LL) cache:\s*([\d,]+) B, (\d+) B, direct-mapped/.exec(header) || []).concat(['1']);
		if (match.length < 5)
			continue;
		const [size, line, ways] = [match[2].replaceAll(',', ''), match[3], match[4]].map(Number);
		const sets = size / line / ways;
		// What a file says of its caches may be anything.
		if (sets > 0 && Number.isInteger(sets))
			caches[match[1]] = {size, line, ways, sets};
	}
	return caches;
}

function cacheText(cache) {
	return `${bytes(cache.size)}, ${cache.sets} sets of ${cache.ways} lines of ${cache.line} B`;
}

// "1 in 300" is easier to grasp than 0.33 %.
function oneIn(part, whole) {
	return part ? `1 in ${count(Math.round(whole / part))}` : 'none';
}

// Whether at least half of the cost is on lines with numbers; the program may have no debug information.
function knowsLines(profile, measure) {
	const column = measure.column(profile.lines.costs);
	const known = column.reduce((sum, cost, row) => sum + (profile.lines.line[row] ? cost : 0), 0);
	return known * 2 >= measure.sum(profile.totals);
}

// Functions in the shape of lines, each one row.
function functionsAsLines({functions}) {
	const {length} = functions;
	return {
		length, file: functions.file, line: new Int32Array(length),
		function: Int32Array.from({length}, (_, i) => i), costs: functions.self,
	};
}

// What is said of one line stands together, in further reasons of the first finding of it.
function merged(list) {
	const byLine = new Map();
	const advised = new Set();
	for (const item of list) {
		// The same advice is given once.
		if (advised.has(item.advice))
			item.advice = '';
		advised.add(item.advice);
		const key = `${item.function} ${item.file} ${item.line}`;
		if (byLine.has(key))
			byLine.get(key).reasons.push(item);
		else
			byLine.set(key, {...item, reasons: [item]});
	}
	return [...byLine.values()];
}

class Findings {
	constructor() {
		const {profile, measures} = choice;
		this.profile = profile;
		this.byLine = knowsLines(profile, measures.first);
		this.lines = this.byLine ? profile.lines : functionsAsLines(profile);
		this.caches = cachesOf(profile.headers);
		this.measures = measures;
		this.cost = measures.first;
		this.whole = this.cost.sum(profile.totals);
		this.list = [];
	}

	column(name) {
		const measure = this.measures.get(name);
		return measure ? measure.column(this.lines.costs) : null;
	}

	sum(name) {
		const measure = this.measures.get(name);
		return measure ? measure.sum(this.profile.totals) : 0;
	}

	add(kind, title, row, finding) {
		const {lines} = this;
		this.list.push({
			kind, title, row, ...finding,
			function: lines.function[row], file: lines.file[row], line: lines.line[row],
		});
	}

	// The rows with the most of a column, where they have a share of it that is worth a word.
	top(column, whole, number, least = SHARE_OF_EVENT, filter = () => true) {
		const rows = [];
		for (let i = 0; i < column.length; i++)
			if (column[i] > whole * least && filter(i))
				rows.push(i);
		return rows.sort((a, b) => column[b] - column[a]).slice(0, number);
	}

	// What changed, the hottest line, and the rest by what it costs.
	all() {
		if (this.profile.older)
			this.changes();
		const changes = this.list;
		this.list = [];
		this.hottest();
		const hottest = this.list;
		this.list = [];
		this.dearerFromOnePlace();
		this.conflicts();
		this.memory();
		this.mispredicted();
		this.writeBacks();
		this.instructionMisses();
		this.calls();
		const rest = this.list.filter(item => item.weight >= this.whole * SHARE_OF_COST)
			.sort((a, b) => b.weight - a.weight);
		return merged([...changes, ...hottest, ...rest]).slice(0, 12);
	}

	hottest() {
		const column = this.cost.column(this.lines.costs);
		const [row] = this.top(column, this.whole, 1, 0);
		if (row === undefined)
			return;
		const parts = cycleParts(this.profile, this.cost, i => this.lines.costs[i][row])
			.sort((a, b) => b.value - a.value);
		const what = this.cost.long.replace(/ \(.*/, '').toLowerCase();
		const shares = parts.slice(0, 3).map(part => `${percent(part.value, column[row])} ${part.text}`);
		this.add('hot', this.byLine ? 'The hottest line' : 'The hottest function', row, {
			text: `${percent(column[row], this.whole)} of all ${what} are spent here` +
				(parts.length > 1 ? `: ${shares.join(', ')}.` : '.'),
			weight: column[row], parts,
		});
	}

	changes() {
		const {older} = this.profile;
		const now = this.cost.column(this.lines.costs);
		const before = this.cost.column(this.byLine ? older.lineCosts : older.self);
		const size = now.map((value, i) => Math.abs(value - before[i]));
		const whole = this.cost.sum(older.totals);
		for (const row of this.top(size, whole, 4, 0.001)) {
			const more = now[row] > before[row];
			const by = now[row] - before[row];
			this.add(more ? 'change' : 'gain', more ? 'Costs more than before' : 'Costs less than before', row, {
				text: `${change(by)} ${this.cost.name}: ${count(before[row])} before, ${count(now[row])} now; ` +
					`${percent(by, whole)} of the older total.`,
				weight: size[row],
			});
		}
	}

	// Called from here, a function misses far more often than called from there.
	dearerFromOnePlace() {
		const {lineCalls, functions} = this.profile;
		const [refs, misses] = ['Drefs', 'D1m'].map(name => this.measures.get(name));
		if (!refs || !misses)
			return;
		const into = rowsBy(lineCalls.to, functions.length);
		const all = misses.sum(this.profile.totals);
		const refsOf = refs.column(lineCalls.costs);
		const missesOf = misses.column(lineCalls.costs);
		const rate = row => missesOf[row] / refsOf[row];
		const matters = row => missesOf[row] + refsOf[row] * 0.01 > all * 0.005;
		for (let callee = 0; callee < functions.length; callee++) {
			const sites = Array.from(into(callee))
				.filter(row => lineCalls.function[row] !== callee && matters(row))
				.sort((a, b) => rate(b) - rate(a));
			if (sites.length < 2)
				continue;
			const [worst, best] = [sites[0], sites[sites.length - 1]];
			const excess = missesOf[worst] - rate(best) * refsOf[worst];
			if (rate(worst) > 2 * rate(best) && excess > all * SHARE_OF_EVENT)
				this.addDearer(callee, worst, best, excess);
		}
	}

	addDearer(callee, worst, best, excess) {
		const {lineCalls, functions, files} = this.profile;
		const value = (name, row) => {
			const measure = this.measures.get(name);
			return measure ? measure.at(lineCalls.costs, row) : 0;
		};
		const rate = row => percent(value('D1m', row), value('Drefs', row));
		const each = row => value('Ir', row) / lineCalls.count[row];
		const same = Math.abs(each(worst) / each(best) - 1) < 0.03;
		const misses = value('D1m', worst);
		const beyond = value('DLm', worst);
		const stays = beyond < misses * 0.1;
		this.list.push({
			kind: 'conflict', title: !same ? 'Misses more when called from here' :
				`${stays ? 'Conflict-prone stride: the' : 'The'} same work misses more from here`,
			function: lineCalls.function[worst], file: lineCalls.file[worst], line: lineCalls.line[worst],
			callee, row: -1, event: 'D1m', weight: excess * eventWeight('D1mr') + 2 * beyond,
			text: `Called from here, ${shorten(functions.names[callee], 50)} misses in D1 with ${rate(worst)} of its ` +
				`data references; called from ${place(files[lineCalls.file[best]], lineCalls.line[best])}, ` +
				`with ${rate(best)}` + (same ? ', for the same number of instructions per call' : '') +
				`. That is ${count(excess)} misses more` + (stays ? `, and ${oneIn(beyond, misses)} of them goes on ` +
				'to memory: the others hit in LL.' : '.'),
			advice: same ? this.strideAdvice() : '',
		});
	}

	// Why a stride makes D1 small.
	strideAdvice() {
		const {D1} = this.caches;
		return D1 ? `D1 is ${cacheText(D1)}. Addresses that are ${count(D1.sets * D1.line)} B apart, or a multiple of it, ` +
			`share one set: of those it keeps ${D1.ways}, and smaller powers of two use few sets, too. So if this goes ` +
			'through memory by a power of two (a column of a matrix, every n-th element), pad the rows by a line, go in ' +
			'blocks, or copy together what is used together. ' +
			`A working set above ${bytes(D1.size)} looks the same.` : '';
	}

	// First-level misses far above last-level misses, far more often than going through memory in order would give.
	conflicts() {
		const [refs, misses, memory] = ['Drefs', 'D1m', 'DLm'].map(name => this.column(name));
		if (!refs || !misses || !memory)
			return;
		const {D1, LL} = this.caches;
		const all = this.sum('D1m');
		const suspect = i => misses[i] > refs[i] * 0.15 && memory[i] < misses[i] * 0.1;
		for (const row of this.top(misses, all, 3, SHARE_OF_EVENT, suspect))
			this.add('conflict', 'Conflict-prone: misses in D1, hits in LL', row, {
				event: 'D1m', weight: misses[row] * eventWeight('D1mr'),
				text: `${percent(misses[row], refs[row])} of its ${count(refs[row])} data references miss in D1, ` +
					`${percent(misses[row], all)} of all such misses, yet ${oneIn(memory[row], misses[row])} ` +
					`of them goes on to memory${LL ? `: what it uses fits into LL (${bytes(LL.size)})` : ''}. ` +
					`In order, 8-byte elements would miss with ${percent(8, D1 ? D1.line : 64)}.`,
				advice: this.strideAdvice(),
			});
	}

	memory() {
		const [refs, misses] = ['Drefs', 'DLm'].map(name => this.column(name));
		if (!refs || !misses)
			return;
		const line = this.caches.LL ? this.caches.LL.line : 64;
		for (const row of this.top(misses, this.sum('DLm'), 3)) {
			const rate = misses[row] / refs[row];
			const size = bytes(misses[row] * line);
			// One miss a line of elements of 4 to 8 bytes.
			const inOrder = rate > 3 / line && rate < 10 / line;
			this.add('memory', 'Waits for memory', row, {
				event: 'DLm', weight: misses[row] * eventWeight('DLmr'),
				text: `${count(misses[row])} last-level misses, ${percent(misses[row], this.sum('DLm'))} of all: ` +
					`${size} from memory, with ${percent(misses[row], refs[row])} of its references.`,
				advice: rate > 0.6 ?
					'Nearly each reference brings a line of which little is used: closer data, or fewer of them.' :
					inOrder ? 'That may be memory gone through in order: prefetching hides part of it; ' +
					'blocking would avoid it.' : '',
			});
		}
	}

	mispredicted() {
		for (const [executed, missed, what, advice] of [
			['Bc', 'Bcm', 'conditional branches',
				'A condition on data in no order: sort them, or compute without a branch.'],
			['Bi', 'Bim', 'indirect branches',
				'A call by pointer or a switch with changing targets: group by target.'],
		]) {
			const [all, wrong] = [this.column(executed), this.column(missed)];
			if (!all || !wrong)
				continue;
			const whole = this.sum('Bm') || this.sum(missed);
			for (const row of this.top(wrong, whole, 3, SHARE_OF_EVENT, i => wrong[i] > all[i] * 0.04))
				this.add('branch', 'Mispredicted', row, {
					event: missed, weight: wrong[row] * USUAL_WEIGHTS.Bcm,
					text: `${percent(wrong[row], all[row])} of its ${count(all[row])} ${what} are mispredicted, ` +
						`${percent(wrong[row], this.sum(missed))} of all of these.`,
					advice,
				});
		}
	}

	writeBacks() {
		const column = this.column('WB');
		if (!column)
			return;
		for (const row of this.top(column, this.sum('WB'), 2))
			this.add('memory', 'Written back to memory', row, {
				event: 'WB', weight: column[row] * eventWeight('DLmr'),
				text: `${count(column[row])} lines are written back to memory from here, ` +
					`${percent(column[row], this.sum('WB'))} of all.`,
				advice: 'Write once, or in blocks that fit into the cache.',
			});
	}

	instructionMisses() {
		const column = this.column('I1mr');
		if (!column)
			return;
		for (const row of this.top(column, this.sum('I1mr'), 1, 0.01, i => column[i] > this.sum('Ir') * 1e-4))
			this.add('memory', 'Code that is not in I1', row, {
				event: 'I1mr', weight: column[row] * eventWeight('I1mr'),
				text: `${count(column[row])} instruction misses, ${percent(column[row], this.sum('I1mr'))} of all.`,
				advice: 'Code called in turns evicts itself: put what runs together next to each other, or make it smaller.',
			});
	}

	// Very many calls of very little.
	calls() {
		const {functions, lineCalls, files} = this.profile;
		const {count: times, to} = lineCalls;
		const measure = this.measures.get('Ir');
		if (!measure)
			return;
		const cost = measure.column(lineCalls.costs);
		const instructions = this.sum('Ir');
		// Call, return and saving registers are taken to be 5 instructions.
		const overhead = row => times[row] * 5;
		const rows = this.top(times, 0, 2, 0, row => times[row] >= MANY_CALLS && cost[row] > 0 &&
			cost[row] / times[row] < 60 && overhead(row) > instructions * 0.005);
		for (const row of rows)
			this.list.push({
				kind: 'calls', title: 'Very many small calls', row: -1, callee: to[row], weight: overhead(row),
				function: lineCalls.function[row], file: lineCalls.file[row], line: lineCalls.line[row],
				text: `${count(times[row])} calls of ${shorten(functions.names[to[row]], 50)} from ` +
					`${place(files[lineCalls.file[row]], lineCalls.line[row])}, ` +
					`${quotient(cost[row] / times[row])} instructions each.`,
				advice: 'Inlining it (static, link-time optimization) saves the call, and lets the compiler see through.',
			});
	}
}
