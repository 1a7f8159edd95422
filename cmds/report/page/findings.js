// SPDX-License-Identifier: GPL-3.0-or-later
// Where to look: what stands out in a profile, each with its place, its numbers and a reason.  Where the profile has
// cycles, findings are made by costgrind why (cmds/why/) and only drawn here; those of counts are made here.

// A finding is {kind, title, function, others, file, line, weight, text, advice, evidence, event, callee}: others is
// how many more functions have code of the line; text says what it is and advice what to do, in a line each, and
// evidence has the numbers behind them, sentences that are folded away; the last two are there if an event shows it and
// a function is called; weight orders them, in cycles.  Of data, it has name, link and key in place of a function and
// its line.

// Below these shares nothing is said.
const SHARE_OF_EVENT = 0.005;
const SHARE_OF_COST = 0.02;
const SHARE_OF_LOADER = 0.1;
const MANY_CALLS = 1000;
// A level has what is used if it misses no larger share of what D1 does.
const SHARE_BEYOND = 0.1;
// Of prefetched lines, those that were of no use, or not soon enough.
const SHARE_OF_PREFETCHES = 0.2;
// Above this share of page walks, larger pages are worth it.
const SHARE_OF_WALKS = 0.2;

// What a miss of the first TLB is taken to cost, in cycles: if the second one has the page, and with a walk.
const TLB_CYCLES = {miss: 7, walk: 30};

// What to do where most cycles are of one kind, by the class of CYCLE_PARTS.
const HOT_ADVICE = {
	exec: 'Do it less often, or in fewer instructions: hoist, vectorize, take another algorithm.',
	l1: 'Keep together what is used together, and use it again while it is in D1.',
	ll: 'Bring less from memory: smaller data, fewer passes over them, blocks that fit into the cache.',
	branch: 'Sort what the branches depend on, or compute without them.',
};

// Kinds of branches, by the events that count them; kind as in docs/BRANCHES.md, which has none for returns.
const BRANCH_KINDS = [
	{executed: 'Bc', missed: 'Bcm', kind: 'conditional', what: 'conditional branches',
		advice: 'If the condition is on data in no order: sort them, or compute without a branch.'},
	{executed: 'Bi', missed: 'Bim', kind: 'indirect', what: 'indirect branches',
		advice: 'A call by pointer or a switch with changing targets: group by target.'},
	{executed: 'Br', missed: 'Brm', what: 'returns',
		advice: 'Calls that are nested too deep for the return stack: flatten a recursion.'},
];

// What to do where pages are walked, if larger ones save many of the walks; else ''.
function hugeAdvice(saved, walks) {
	return saved > walks * SHARE_OF_WALKS ?
		`Pages of 2 MiB would save ${percent(saved, walks)} of these walks: large aligned blocks, madvise().` : '';
}

function eventWeight(name) {
	const {profile, measures} = choice;
	const cycles = measures.get('EstCyc') || measures.get('CEst');
	const at = profile.events.findIndex(event => event.name === name);
	return cycles && at >= 0 && cycles.weights[at] / cycles.scale || CYCLES[EVENT_COSTS[name]] || 1;
}

// The caches that were simulated, from the profile's headers: {I1, D1, LL} of {size, line, ways, sets, text}, the last
// one being what is said of policy and the like.
function cachesOf(headers) {
	const caches = {};
	for (const header of headers) {
		const match = /\b(I1|D1|L2|L3|LL) cache:\s*([\d,]+) B, (\d+) B, (\d+)-way/.exec(header) ||
			(/\b(I1|D1|L2|L3|LL) cache:\s*([\d,]+) B, (\d+) B, direct-mapped/.exec(header) || []).concat(['1']);
		if (match.length < 5)
			continue;
		const [size, line, ways] = [match[2].replaceAll(',', ''), match[3], match[4]].map(Number);
		const sets = size / line / ways;
		// What a file says of its caches may be anything.
		if (sets > 0 && Number.isInteger(sets))
			caches[match[1]] = {size, line, ways, sets, text: header.replace(/^.*?(-way associative|mapped),? ?/, '')};
	}
	return caches;
}

function cacheText(cache) {
	return `${bytes(cache.size)}, ${cache.sets} sets of ${cache.ways} lines of ${cache.line} B`;
}

// True if an access misses as often as it comes to a new line, if its address goes on by step bytes (0 = not known).
function isInOrder(rate, step, line) {
	return step > 0 && step <= line && rate > step / line * 0.75 && rate < step / line * 1.3;
}

// "1 in 300" is easier to grasp than 0.33 %.
function oneIn(part, whole) {
	return part ? `1 in ${count(Math.round(whole / part))}` : 'none';
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

	// One event of one place.
	at(event, place) {
		const costs = this.byLine ? this.profile.lines.costs : this.profile.functions.self;
		return sumOf(this.members[place], row => costs[event][row]);
	}
}

// What is said of one line stands together, in further reasons of the first finding of it.
function merged(list) {
	const byLine = new Map();
	for (const item of list) {
		const key = item.key || `${item.function} ${item.file} ${item.line}`;
		if (byLine.has(key))
			byLine.get(key).reasons.push(item);
		else
			byLine.set(key, {...item, reasons: [item]});
	}
	for (const {reasons} of byLine.values())
		reasons.forEach((reason, i) => {
			// The same advice is given once, and what is right for any hot line not beside what is right for this one.
			const better = reason.parts && !reason.event ? reasons.slice(i + 1) :
				reasons.slice(0, i).filter(other => other.advice === reason.advice);
			if (better.length)
				reason.advice = '';
		});
	return [...byLine.values()];
}

// The parts of cycles that events of a finding are, as a bar shows them; null if it is not about one place.
function partsOf(events) {
	const parts = STACK_PARTS.map(([text, kind, event]) => ({text, kind, event, value: Number(events[event] || 0)}))
		.filter(part => part.value > 0);
	return parts.length ? parts : null;
}

const STRIDE_ADVICE = 'If a power of two apart: pad by a line, go in blocks, or copy together what is used together.';

class Findings {
	constructor() {
		const {profile, measures} = choice;
		this.profile = profile;
		this.byLine = knowsLines(profile, measures.first);
		this.places = new Places(profile, measures.first, this.byLine);
		this.caches = cachesOf(profile.headers);
		this.measures = measures;
		this.cost = measures.first;
		this.whole = this.cost.sum(profile.totals);
		// What weights are shares of.
		this.cycles = (measures.cycles || this.cost).sum(profile.totals);
		this.list = [];
	}

	// True if functions are named in place of lines.
	namesFunctions() {
		return !this.byLine && this.whole > 0;
	}

	column(name) {
		const measure = this.measures.get(name);
		return measure ? this.places.column(measure) : null;
	}

	valueAt(name, costs, row) {
		const measure = this.measures.get(name);
		return measure ? measure.at(costs, row) : 0;
	}

	sum(name) {
		const measure = this.measures.get(name);
		return measure ? measure.sum(this.profile.totals) : 0;
	}

	add(kind, title, place, finding) {
		const {places} = this;
		const functions = [...new Set(places.functions(place))];
		this.list.push({
			kind, title, ...finding, function: functions[0], others: functions.length - 1,
			file: places.file[place], line: places.line[place],
		});
	}

	// Of a function, not of one of its lines, unless the finding has another one.
	addFunction(index, finding) {
		this.list.push({function: index, others: 0, file: this.profile.functions.file[index], line: 0, ...finding});
	}

	// The places with the most of a column, where they have a share of it that is worth a word.
	top(column, whole, number, least = SHARE_OF_EVENT, filter = () => true) {
		const {functions} = this.profile;
		return dearest(column, number, i => column[i] > whole * least && filter(i) &&
			!isLoader(functions.objectOf(this.places.functions(i)[0])));
	}

	// What changed, the hottest line, and the rest by what it costs.
	all() {
		if (this.profile.older)
			this.changes();
		const changes = this.list;
		// What two profiles differ in is no run, whose parts could be compared with the whole.
		if (!(this.whole > 0))
			return merged(changes);
		this.list = [];
		if (this.measures.stack && this.profile.why) {
			this.ofCycles();
			return merged([...changes, ...this.list]).slice(0, 12);
		}
		this.hottest();
		this.loader();
		const hottest = this.list.sort((a, b) => b.weight - a.weight);
		this.list = [];
		this.dearerFromOnePlace().forEach(call => this.addDearer(call));
		this.outOfFirstLevel();
		this.memory();
		this.mispredicted();
		this.writeBacks();
		this.pageWalks();
		this.prefetches();
		this.instructionMisses();
		this.calls();
		findPlacement(this);
		findData(this);
		const rest = this.list.filter(item => item.weight >= this.cycles * SHARE_OF_COST)
			.sort((a, b) => b.weight - a.weight);
		return merged([...changes, ...hottest, ...rest]).slice(0, 12);
	}

	// Those that costgrind why makes, which the data has, with those of data among them.
	ofCycles() {
		const {stack} = this.measures;
		this.cost = stack;
		this.whole = stack.sum(this.profile.totals);
		findData(this);
		this.list = this.list.filter(item => item.weight >= this.whole * SHARE_OF_COST);
		for (const {class: kind, title, claim, cost, function: index, file, line = 0, others = 0, callee, event, advice = '',
			next_command: next = '', evidence, ruled_out: ruledOut} of this.profile.why.findings)
			this.list.push({
				kind, title, function: index, others, file, line, callee, event, advice, next,
				text: claim, weight: Number(cost) / stack.scale, parts: partsOf(evidence.events),
				evidence: [...evidence.facts, ...ruledOut.map(text => `Ruled out: ${text}`)],
			});
		this.list.sort((a, b) => b.weight - a.weight);
	}

	// A line with a number; where none is worth a card, a function.
	hottest() {
		const lines = this.byLine ? this.places : null;
		const column = this.places.column(this.cost);
		const [place] = this.top(column, this.whole, 1, SHARE_OF_COST, at => !lines || lines.line[at] > 0);
		if (place !== undefined)
			return this.addHottest(this.byLine ? 'The hottest line' : 'The hottest function', column[place],
				event => this.places.at(event, place), finding => this.add('hot', finding.title, place, finding));
		const {functions} = this.profile;
		const self = this.cost.column(functions.self);
		const index = argMax(self.map((cost, i) => isLoader(functions.objectOf(i)) ? 0 : cost));
		if (index >= 0 && self[index] > this.whole * SHARE_OF_COST)
			this.addHottest('The hottest function', self[index], event => functions.self[event][index], finding =>
				this.addFunction(index, {kind: 'hot', ...finding}));
	}

	addHottest(title, cost, costOf, put) {
		const parts = cycleParts(this.profile, this.cost, costOf).sort((a, b) => b.value - a.value);
		const shares = parts.map(part => `${percent(part.value, cost)} ${part.text}`);
		put({
			title, text: `${percent(cost, this.whole)} of all ${costWord(this.cost)} are spent here` +
				(parts.length > 1 ? `, ${percent(parts[0].value, cost)} of them ${parts[0].text}.` : '.'),
			advice: parts.length > 1 ? HOT_ADVICE[parts[0].kind] || '' : '',
			evidence: [`${count(cost)} ${this.cost.name}` + (shares.length > 1 ? `: ${shares.join(', ')}.` : '.')],
			weight: cost, parts,
		});
	}

	// Lines, or where these have moved, functions.
	changes() {
		const {functions, older} = this.profile;
		const hasMoved = index => this.byLine && linesMoved(this.cost, index) !== 0;
		const [now, before] = [this.places.column(this.cost), this.places.column(this.cost, true)];
		const whole = Math.abs(this.cost.sum(older.totals));
		const size = now.map((value, i) => hasMoved(this.places.functions(i)[0]) ? 0 : Math.abs(value - before[i]));
		for (const place of this.top(size, whole, 4, 0.001))
			this.addChange(now[place], before[place], whole, finding => this.add(finding.kind, finding.title, place, finding));
		const [self, was] = [this.cost.column(functions.self), this.cost.column(older.self)];
		for (let i = 0; i < functions.length; i++)
			if (Math.abs(self[i] - was[i]) > whole * 0.001 && hasMoved(i))
				this.addChange(self[i], was[i], whole, finding => this.addFunction(i, finding));
		this.list.sort((a, b) => b.weight - a.weight).splice(4);
	}

	addChange(now, before, whole, put) {
		const by = now - before;
		put({
			kind: by > 0 ? 'change' : 'gain', title: by > 0 ? 'Costs more than before' : 'Costs less than before',
			text: `${change(by)} ${this.cost.name}, ${percent(by, whole)} of the older total.`,
			evidence: [`${count(before)} before, ${count(now)} now.`],
			weight: Math.abs(by),
		});
	}

	// A short run is mostly its start.
	loader() {
		const {functions} = this.profile;
		const cost = this.cost.column(functions.self);
		let sum = 0;
		let most = -1;
		for (let i = 0; i < functions.length; i++)
			if (isLoader(functions.objectOf(i))) {
				sum += cost[i];
				most = most < 0 || cost[i] > cost[most] ? i : most;
			}
		if (most < 0 || sum < this.whole * SHARE_OF_LOADER)
			return;
		this.addFunction(most, {
			kind: 'hot', title: 'The dynamic loader', weight: sum,
			text: `${percent(sum, this.whole)} of this run is the dynamic loader, ${baseName(functions.objectOf(most))}.`,
			advice: 'A longer run has less of it; --toggle-collect=main leaves the start out.',
			evidence: ['Libraries are mapped and their symbols looked up, mostly at the start. Its lines are not named here.'],
		});
	}

	// Calls of one function from two places, where one misses far more often: [{callee, worst, best, excess}], the last
	// three being a row of line calls, another, and the misses that the first one has too many.
	dearerFromOnePlace() {
		const {lineCalls, functions} = this.profile;
		const [refs, misses] = ['Drefs', 'D1m'].map(name => this.measures.get(name));
		if (!refs || !misses)
			return [];
		const into = rowsBy(lineCalls.to, functions.length);
		const all = misses.sum(this.profile.totals);
		const refsOf = refs.column(lineCalls.costs);
		const missesOf = misses.column(lineCalls.costs);
		const rate = row => missesOf[row] / refsOf[row];
		const {cycle} = functions;
		// Of a call of itself, or of one that comes back, the costs are those of others, too.
		const returns = (row, callee) => lineCalls.function[row] === callee ||
			cycle[callee] > 0 && cycle[callee] === cycle[lineCalls.function[row]];
		const matters = row => missesOf[row] + refsOf[row] * 0.01 > all * 0.005;
		const found = [];
		for (let callee = 0; callee < functions.length; callee++) {
			const sites = Array.from(into(callee))
				.filter(row => !returns(row, callee) && matters(row))
				.sort((a, b) => rate(b) - rate(a));
			if (sites.length < 2)
				continue;
			const [worst, best] = [sites[0], sites[sites.length - 1]];
			const excess = missesOf[worst] - rate(best) * refsOf[worst];
			if (rate(worst) > 0.02 && rate(worst) > 2 * rate(best) && excess > all * SHARE_OF_EVENT)
				found.push({callee, worst, best, excess});
		}
		return found;
	}

	callValue(name, row) {
		return this.valueAt(name, this.profile.lineCalls.costs, row);
	}

	callRate(row) {
		return percent(this.callValue('D1m', row), this.callValue('Drefs', row));
	}

	callPlace(row) {
		const {lineCalls, files} = this.profile;
		return place(files[lineCalls.file[row]], lineCalls.line[row]);
	}

	// True if both calls do the same, instruction for instruction, so that only addresses differ.
	isSameWork({worst, best}) {
		const each = row => this.callValue('Ir', row) / this.profile.lineCalls.count[row];
		return Math.abs(each(worst) / each(best) - 1) < 0.03;
	}

	// The first level after D1 that has nearly all that D1 misses, by misses of it (a function of the event), or ''.
	levelThatHas(missesOf) {
		const most = missesOf('D1m') * SHARE_BEYOND;
		const level = CACHE_LEVELS.slice(1).find(({misses}) => misses.every(event => this.measures.get(event)) &&
			sumOf(misses, missesOf) < most);
		return level ? level.name : missesOf('DLm') < most ? 'LL' : '';
	}

	addDearer(call) {
		const {callee, worst, best, excess} = call;
		const {lineCalls, functions} = this.profile;
		const [same, level] = [this.isSameWork(call), this.levelThatHas(event => this.callValue(event, worst))];
		const beyond = this.callValue('DLm', worst);
		const counted = missClass(this, 'D1', event => this.callValue(event, worst));
		const isStride = same && level && (!counted || counted.ending === 'conf');
		this.addFunction(lineCalls.function[worst], {
			kind: 'conflict', title: !same ? 'Misses more when called from here' :
				'The same work misses more from here',
			file: lineCalls.file[worst], line: lineCalls.line[worst],
			callee, event: 'D1m', weight: excess * eventWeight('D1mr') + 2 * beyond,
			text: `${this.callRate(worst)} of the data references of ${shortName(functions.names[callee], 40)} miss in D1 ` +
				`from here, ${this.callRate(best)} from ${this.callPlace(best)}.`,
			advice: isStride ? STRIDE_ADVICE : 'Give it less memory to go through here, or closer together.',
			evidence: [`That is ${count(excess)} misses more` + (level ? `, and ${
				oneIn(beyond, this.callValue('D1m', worst))} of its misses goes on to memory: ${
				level === 'LL' ? 'the others' : 'nearly all'} hit in ${level}.` : '.'),
			same ? 'A call has the same number of instructions: what differs is how much memory it goes through, or how ' +
				'far apart.' : '', counted && counted.shares, ...isStride ? this.setsOfD1() : []].filter(Boolean),
		});
	}

	// Why a stride makes D1 small.
	setsOfD1() {
		const {D1} = this.caches;
		return D1 ? [`D1 is ${cacheText(D1)}. Addresses that are ${count(D1.sets * D1.line)} B apart, or a multiple of it, ` +
			`share one set: of those it keeps ${D1.ways}, and smaller powers of two use few sets, too.`] : [];
	}

	// The access of a place's machine code that has the most of these misses, or null.
	worstAt(place, misses) {
		const {places, profile, measures} = this;
		const [file, line] = [places.file[place], places.line[place]];
		if (!line)
			return null;
		const wanted = [...new Set(places.functions(place))].map(index => ({function: index, file, line}));
		return worstAccess(accessesOf(profile, wanted, measures.get('Drefs'), measures.get(misses)), measures.get('Ir'));
	}

	// First-level misses far above last-level misses.
	outOfFirstLevel() {
		const [refs, misses, memory] = ['Drefs', 'D1m', 'DLm'].map(name => this.column(name));
		if (!refs || !misses || !memory)
			return;
		const all = this.sum('D1m');
		const suspect = i => misses[i] > refs[i] * 0.1 && memory[i] < misses[i] * SHARE_BEYOND;
		for (const at of this.top(misses, all, 4, SHARE_OF_EVENT, suspect)) {
			const level = this.levelThatHas(event => this.column(event)[at]);
			const cache = this.caches[level];
			const why = this.reasonOfMisses(this.worstAt(at, 'D1m'), level, this.whereOf(at));
			this.add('conflict', why.title, at, {
				event: 'D1m', weight: misses[at] * eventWeight('D1mr'),
				text: `${percent(misses[at], refs[at])} of its ${count(refs[at])} data references miss in D1` +
					`${cache ? `, though what it uses fits into ${level} (${bytes(cache.size)}).` : '.'}`,
				advice: why.advice,
				evidence: [`${percent(misses[at], all)} of all such misses; ${oneIn(memory[at], misses[at])} of them ` +
					'goes on to memory.', ...why.evidence],
			});
		}
	}

	// A place as reasonOfMisses() and countedReason() take it.
	whereOf(at) {
		const {files} = this.profile;
		return {path: files[this.places.file[at]] || '', line: this.places.line[at], valueOf: name => {
			const column = this.column(name);
			return column ? column[at] : 0;
		}};
	}

	// By what was counted, else by what the code shows.
	reasonOfMisses(worst, level, where) {
		const guess = this.guessOfMisses(worst, this.caches.D1, level);
		return countedReason(this, level, where, guess) || guess;
	}

	// A stride, or order, if the code shows one; else all that can be.  One line often has several accesses, each with a
	// reason of its own: named is the one that misses most.
	guessOfMisses(worst, D1, level) {
		const conflict = `Conflict-prone stride: misses in D1, hits in ${level}`;
		const {stride = null, rate = 0, width = 0} = worst || {};
		const which = worst ? this.whichMisses(worst) : [];
		const step = stride ? stride.step : 0;
		const sets = D1 && step >= D1.line ? setsUsed(D1, step) : 0;
		const least = width && D1 ? Math.min(1, width / D1.line) : 0;
		const order = least && rate > least ? [`In order, ${width} B at a time, it would be ${percent(least, 1)}.`] : [];
		// Fewer steps in a row than what these sets keep do not evict each other.
		if (sets && sets <= D1.sets / 2 && stride.row > sets * D1.ways)
			return {title: conflict, advice: STRIDE_ADVICE, evidence: [...which,
				`Its address advances by ${count(step)} B each time (${stride.text}), ` +
				`${count(Math.round(stride.row))} times in a row: that uses ${sets} of D1\u2019s ${D1.sets} sets, in which ` +
				`${sets * D1.ways} lines stay.`, ...this.setsOfD1()]};
		if (stride && !step && order.length)
			return {title: conflict, advice: STRIDE_ADVICE, evidence: [...which, ...order,
				`Its address advances by a register's value (${stride.text}): a stride that is set while the program runs.`,
				...this.setsOfD1()]};
		if (D1 && isInOrder(rate, step, D1.line))
			return {isInOrder: true, title: 'More than D1 holds, in order', advice: 'Do more with each block while it is in D1.',
				evidence: [...which, `Memory gone through in order, ${count(step)} B at a time, gives ` +
					`${percent(step / D1.line, 1)}.`]};
		return {title: `Does not stay in D1: misses there, hits in ${level}`,
			advice: 'Smaller or closer data, or an order that uses a line again sooner, would stay.',
			evidence: [...which, ...order, ...D1 ? [`Between two uses of a line, more than the ${bytes(D1.size)} of D1 are ` +
				'used, or many lines of one set.'] : [], ...this.setsOfD1()]};
	}

	// The instruction that misses most, where a line has others that do.
	whichMisses({share, text, rate}) {
		return share < 0.995 ? [`${percent(share, 1)} of them are of one instruction, ${text.trim()}, ` +
			`of whose references ${percent(rate, 1)} miss.`] : [];
	}

	memory() {
		const [refs, misses] = ['Drefs', 'DLm'].map(name => this.column(name));
		if (!refs || !misses)
			return;
		const line = this.caches.LL ? this.caches.LL.line : 64;
		for (const at of this.top(misses, this.sum('DLm'), 3))
			this.add('memory', 'Waits for memory', at, {
				event: 'DLm', weight: misses[at] * eventWeight('DLmr'),
				text: `Brings ${bytes(misses[at] * line)} from memory, with ${percent(misses[at], refs[at])} of its references.`,
				...countedMemory(this, this.whereOf(at).valueOf, this.memoryAdvice(this.worstAt(at, 'DLm'), line,
					`${count(misses[at])} last-level misses, ${percent(misses[at], this.sum('DLm'))} of all.`)),
			});
	}

	memoryAdvice(worst, line, ...evidence) {
		const {rate = 0, width = 0, stride = null} = worst || {};
		const step = stride ? stride.step : 0;
		if (isInOrder(rate, step, line))
			return {advice: 'Prefetching hides part of it; blocks that fit into the cache would avoid it.', evidence: [
				...evidence,
				`These are as many as memory gone through in order gives, ${count(step)} B at a time.`]};
		if (width && step >= line && rate > 2 * width / line)
			return {isSparse: true, advice: 'Go through memory in order, or keep together what is used together.',
				evidence: [...evidence,
				`Its address advances by ${count(step)} B each time (${stride.text}): of each line that is brought, ` +
				'little is used.']};
		if (width && width < line / 2 && rate > 0.6)
			return {isSparse: true, advice: 'Bring less: closer data, or fewer of them.', evidence: [...evidence,
				'Nearly each reference brings a line of which little is used.']};
		return {advice: HOT_ADVICE.ll, evidence};
	}

	mispredicted() {
		for (const {executed, missed, kind, what, advice} of BRANCH_KINDS.filter(branches => branches.kind)) {
			const [all, wrong] = [this.column(executed), this.column(missed)];
			if (!all || !wrong)
				continue;
			const whole = this.sum('Bm') || this.sum(missed);
			for (const at of this.top(wrong, whole, 3, SHARE_OF_EVENT, i => wrong[i] > all[i] * 0.04))
				this.add('branch', 'Mispredicted', at, {
					event: missed, weight: wrong[at] * USUAL_COSTS.Bm,
					text: `${percent(wrong[at], all[at])} of its ${count(all[at])} ${what} are mispredicted.`,
					advice,
					...this.oneBranch(at, kind, wrong[at],
						`${count(wrong[at])} mispredictions,  ${percent(wrong[at], this.sum(missed))} of all of these.`),
				});
		}
	}

	// What is known of the branch that has most of a place's mispredictions, if one has.
	oneBranch(at, kind, wrong, ...evidence) {
		const {branches} = this.profile;
		const [file, line] = [this.places.file[at], this.places.line[at]];
		const row = branches && line ? branches.rows.find(item => item.class === kind && item.address &&
			item.file === file && item.line === line && item.missed > wrong / 2) : null;
		if (!row)
			return {evidence};
		const shares = [[row.by_counter, 'a counter of its own'], [row.by_history, 'its own history'],
			[row.best_static, 'the best choice that never changes']].filter(([value]) => value !== null);
		const detail = branchDetail(row);
		const depends = detail && kind === 'conditional' && row.kind !== 'loop exit' ? `its condition depends on ${detail}` :
			detail && kind === 'indirect' ? detail : '';
		const facts = [depends, row.taken !== null && `taken ${percent(row.taken, row.executed)}`,
			kind === 'conditional' && row.kind].filter(Boolean);
		return {
			text: `${percent(row.missed, branches.missed)} of all mispredictions are this one ` +
				`${this.branchWord(file, line, row)}, ${percent(row.missed, row.executed)} of its executions` +
				`${facts.length ? `: ${facts.join(', ')}` : ''}.`,
			...BRANCH_ADVICE[row.kind] ? {advice: BRANCH_ADVICE[row.kind]} : {},
			evidence: [...evidence,
				...row.instruction ? [`The jump: ${row.address} ${row.instruction}.`] : [],
				...shares.length ? [`It would be mispredicted by ${shares.map(([value, who]) =>
					`${who} ${percent(value, row.executed)}`).join(', by ')}.`] : [],
				...row.hard ? ['Hard to predict by the rule of Lin and Tarsa, 2019.'] : []],
		};
	}

	// As the source says: if, while; else branch.
	branchWord(file, line, row) {
		const text = textOf(this.profile, file).line(line);
		const found = text && row.class === 'conditional' ? /\b(if|while|for)\b/.exec(text) : null;
		return found ? `'${found[1]}'` : row.class === 'indirect' ? row.kind || 'indirect branch' : 'branch';
	}

	writeBacks() {
		const column = this.column('WB');
		if (!column)
			return;
		for (const at of this.top(column, this.sum('WB'), 2))
			this.add('memory', 'Written back to memory', at, {
				event: 'WB', weight: column[at] * eventWeight('DLmr'),
				text: `${percent(column[at], this.sum('WB'))} of all lines that are written back to memory.`,
				evidence: [`${count(column[at])} lines.`],
				advice: 'Write once, or in blocks that fit into the cache.',
			});
	}

	// Of places, the sum of some events' columns; null if not all were recorded.
	sumOfColumns(names) {
		const columns = names.map(name => this.column(name));
		return columns.every(Boolean) ? columns[0].map((_, i) => sumOf(columns, column => column[i])) : null;
	}

	pageWalks() {
		const [misses, walks, huge] = [['ITm', 'DTm'], ['ISm', 'DSm'], ['ISm2M', 'DSm2M']]
			.map(names => this.sumOfColumns(names));
		if (!misses || !walks)
			return;
		const weight = misses.map((all, i) => (all - walks[i]) * TLB_CYCLES.miss + walks[i] * TLB_CYCLES.walk);
		const [refs, allWalks, allMisses] = [this.sumOfColumns(['Ir', 'Dr', 'Dw']), sumOf(walks), sumOf(misses)];
		for (const at of this.top(weight, sumOf(weight), 2)) {
			const walked = walks[at] > misses[at] * SHARE_OF_WALKS;
			const of = refs ? `, ${oneIn(walked ? walks[at] : misses[at], refs[at])} of its references` : '';
			const saved = huge && walked ? walks[at] - huge[at] : 0;
			this.add('memory', walked ? 'Walks the page table' : 'Misses the first TLB', at, {
				event: this.column('DTm')[at] * 2 >= misses[at] ? walked ? 'DSm' : 'DTm' : walked ? 'ISm' : 'ITm',
				weight: weight[at],
				text: walked ? `${percent(walks[at], allWalks)} of the misses of the second-level TLB are here${of}.` :
					`${percent(misses[at], allMisses)} of the misses of the first-level TLB are here${of}.`,
				advice: hugeAdvice(saved, walks[at]) || (walked && !huge ?
					'Use fewer pages at a time, or huge ones: --pages=both counts what these would save.' :
					'Keep together what is used together: fewer pages at a time.'),
				evidence: [`${count(misses[at])} misses of the first-level TLB, of which ${count(walks[at])} walk the page ` +
					`table${huge ? `; with transparent huge pages ${count(huge[at])}` : ''}. Such a walk is taken to be ` +
					`${TLB_CYCLES.walk} cycles, a page that the second level has, ${TLB_CYCLES.miss}.`],
			});
		}
	}

	prefetches() {
		const [brought, used, late, unused] = ['Pf', 'PfU', 'PfL', 'PfX'].map(name => this.column(name));
		if (!brought || !used || !late || !unused)
			return;
		const idle = unused.map((lines, i) => lines + late[i]);
		for (const at of this.top(idle, this.sum('Pf'), 2, SHARE_OF_EVENT, i => idle[i] > brought[i] * SHARE_OF_PREFETCHES)) {
			const wasted = unused[at] >= late[at];
			this.add('memory', wasted ? 'Prefetches what is not used' : 'Prefetched too late', at, {
				event: wasted ? 'PfX' : 'PfL', weight: idle[at] * eventWeight('D1mr'),
				text: `Prefetchers bring in ${count(brought[at])} lines here, of which ${wasted ?
					`${percent(unused[at], brought[at])} are never used` : `${percent(late[at], brought[at])} come late`}.`,
				advice: wasted ? 'Go through memory in order, and to the end of what is begun.' :
					'Do more with each line, or prefetch further ahead.',
				evidence: [`${count(used[at])} of them were used, ${count(late[at])} less than 200 instructions after they were ` +
					`asked for; ${count(unused[at])} left unused.`],
			});
		}
	}

	instructionMisses() {
		const column = this.column('I1mr');
		if (!column)
			return;
		for (const at of this.top(column, this.sum('I1mr'), 1, 0.01, i => column[i] > this.sum('Ir') * 1e-4))
			this.add('memory', 'Code that is not in I1', at, {
				event: 'I1mr', weight: column[at] * eventWeight('I1mr'),
				text: `${percent(column[at], this.sum('I1mr'))} of all instruction misses.`,
				advice: 'Put code that runs together next to each other, or make it smaller.',
				evidence: [`${count(column[at])} misses. Code called in turns evicts itself.`],
			});
	}

	// Very many calls of very little.
	calls() {
		const {functions, lineCalls} = this.profile;
		const {count: times, to} = lineCalls;
		const measure = this.measures.get('Ir');
		if (!measure)
			return;
		const cost = measure.column(lineCalls.costs);
		const instructions = this.sum('Ir');
		// Call, return and saving registers are taken to be 5 instructions.
		const overhead = row => times[row] * 5;
		const rows = dearest(times, 2, row => times[row] >= MANY_CALLS && cost[row] > 0 && cost[row] / times[row] < 60 &&
			overhead(row) > instructions * 0.005 && !isLoader(functions.objectOf(lineCalls.function[row])));
		for (const row of rows)
			this.addFunction(lineCalls.function[row], {
				kind: 'calls', title: 'Very many small calls', callee: to[row], weight: overhead(row),
				file: lineCalls.file[row], line: lineCalls.line[row],
				text: `${shortCount(times[row])} calls of ${shortName(functions.names[to[row]], 50)}, ` +
					`of ${quotient(cost[row] / times[row])} instructions each.`,
				advice: 'Inlining it (static, link-time optimization) saves the call, and lets the compiler see through.',
				evidence: [`${count(times[row])} calls from ${this.callPlace(row)}. A call and its return are taken to be 5 ` +
					'instructions.'],
			});
	}
}

// -- loops --

// Cards of hot loops whose code touches more fetch windows than it would if it were placed better.

// Windows of a size count if they are this many times those needed.
const WINDOWS_FELT = 1.25;

// Puts the hottest two into the findings' list.  What is lost is not known: a card weighs as much of the loop as there
// are windows too many, but so much at least that it is shown.
function findPlacement(findings) {
	const {profile, measures, cycles} = findings;
	const {loops, event, total: whole} = profile.layout || {loops: []};
	const windowsOf = row => [16, 32, 64].map(size =>
		({size, touched: row[`windows${size}`], needed: row[`needed${size}`]}));
	const isFelt = row => windowsOf(row).some(({touched, needed}) => touched >= needed * WINDOWS_FELT) &&
		!isLoader(profile.functions.objectOf(row.function));
	for (const row of loops.filter(isFelt).slice(0, 2)) {
		const share = row.cost / whole;
		const windows = windowsOf(row);
		const sizes = windows.filter(({touched, needed}) => touched > needed);
		const worst = sizes.reduce((a, b) => b.touched / b.needed < a.touched / a.needed ? a : b);
		const spare = 1 - sumOf(windows, ({needed}) => needed) / sumOf(windows, ({touched}) => touched);
		const word = costWord(measures.get(event) || {long: event});
		findings.addFunction(row.function, {
			kind: 'hot', title: 'Badly placed loop', file: row.file, line: row.line || 0,
			weight: cycles * Math.max(SHARE_OF_COST, share * spare),
			text: `A loop of ${row.bytes} B, ${percent(share, 1)} of all ${word}, touches ` +
				`${worst.touched} fetch windows of ${worst.size} B: ${worst.needed} would do.`,
			advice: `${row.advice[0].toUpperCase()}${row.advice.slice(1)}.`,
			evidence: [`Code at ${row.begin} to ${row.end}, ${count(row.turns)} turns. Windows touched, and needed: ` +
				`${sizes.map(({size, touched, needed}) => `${touched} for ${needed} of ${size} B`).join(', ')}.`],
		});
	}
}
