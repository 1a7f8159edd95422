// SPDX-License-Identifier: GPL-3.0-or-later
// What machine code (x86, AT&T syntax) says of the memory it refers to: how many bytes at a time, and how far apart.

// Instructions that refer to the stack without saying so.
const STACK_USERS = /^(push|pop|call|ret|leave|enter)/;
const NO_ACCESS = /^(lea|nop|prefetch|clflush|endbr)/;
const SUFFIXES = {b: 1, w: 2, l: 4, q: 8};

// {base, index, scale} of the operand in memory, registers without their %; null if there is none.
function memoryOperand(text) {
	const match = NO_ACCESS.test(text) ? null : /\((?:%(\w+))?(?:, ?%(\w+))?(?:, ?([1248]))?\)/.exec(text);
	return match ? {base: match[1] || '', index: match[2] || '', scale: Number(match[3] || 1)} : null;
}

// Bytes of the access of an instruction that has one; 0 if that is not known.
function accessWidth(text) {
	const name = text.split(' ')[0];
	if (STACK_USERS.test(name))
		return 8;
	// Of these, the register says nothing.
	if (/pmov[sz]x|broadcast|cvt[^2]*(p[sdih]|dq)|extract|insert|pins|pext|gather|scatter|expand|compress/.test(name))
		return /^cvt(ps2pd|dq2pd)$/.test(name) ? 8 : 0;
	if (text.includes('%zmm'))
		return 64;
	if (text.includes('%ymm'))
		return 32;
	// Of a conversion, what is read, which is named first.
	const converted = /cvtt?(s[sdi])2/.exec(name);
	if (converted && converted[1] !== 'si')
		return converted[1] === 'ss' ? 4 : 8;
	if (converted)
		return SUFFIXES[name.at(-1)] || 4;
	if (text.includes('%xmm'))
		return /(ss|movd)$/.test(name) ? 4 : /(sd|movq|mov[lh]p[sd]|ddup)$/.test(name) ? 8 : 16;
	const extending = /^mov[sz]([bwl])[wlq]$/.exec(name);
	if (extending)
		return SUFFIXES[extending[1]];
	return name.startsWith('f') ? 0 : SUFFIXES[name.at(-1)] || 0;
}

// The register that an instruction moves, and by how much: {register, step}, or null; 0 is by what a register has.
function stepOf(text) {
	let match = /^(add|sub)q? \$(-?)(0x[0-9a-f]+|\d+), ?%(r\w+)$/.exec(text.trim());
	if (match)
		return {register: match[4], step: Number(match[3]) * ((match[1] === 'sub') === (match[2] === '-') ? 1 : -1)};
	match = /^(?:add|sub)q? %r\w+, ?%(r\w+)$/.exec(text.trim());
	if (match)
		return {register: match[1], step: 0};
	match = /^leaq? (-?)(0x[0-9a-f]+|\d+)\(%(r\w+)\), ?%(r\w+)$/.exec(text.trim());
	return match && match[3] === match[4] ? {register: match[4], step: Number(match[2]) * (match[1] ? -1 : 1)} : null;
}

// The accesses of lines: places are [{function, file, line}].  Of each instruction with references, {text, refs,
// misses, code, row}.
function accessesOf(profile, places, refs, misses) {
	const found = [];
	const seen = new Set();
	for (const place of places) {
		const code = profile.code(place.function);
		if (!code)
			continue;
		const key = `${code.address[0]} ${place.file} ${place.line}`;
		if (seen.has(key))
			continue;
		seen.add(key);
		for (let row = 0; row < code.length; row++)
			if (code.line[row] === place.line && code.file[row] === place.file && refs.at(code.costs, row) > 0)
				found.push({text: code.text(row), refs: refs.at(code.costs, row), misses: misses.at(code.costs, row), code, row});
	}
	return found;
}

// The access that misses most, with its share of the misses of all of them, its rate, bytes at a time (0 = not known)
// and how its address goes on; null if there is no machine code.
function worstAccess(accesses, instructions) {
	const worst = accesses.reduce((a, b) => !a || b.misses > a.misses ? b : a, null);
	if (!worst || !worst.misses)
		return null;
	return {
		...worst, share: worst.misses / sumOf(accesses, access => access.misses),
		rate: worst.misses / worst.refs, width: accessWidth(worst.text),
		stride: instructions ? strideOf(worst, instructions) : null,
	};
}

// The register that an instruction writes, whole; '' if none, or not by an operand.
function registerWritten(text) {
	const match = /^(?!cmp|test|push|bt|j|call|ret|nop|prefetch|leave)[a-z0-9]+ (?:.*, ?)?%(\w+)$/.exec(text.trim());
	return match ? wholeRegister(match[1]) : '';
}

// rax of eax, ax and al; r8 of r8d.
function wholeRegister(name) {
	const numbered = /^(r\d+)[dwb]?$/.exec(name);
	const old = /^[re]?([a-d])[xl]$|^[re]?(si|di|bp|sp)l?$/.exec(name);
	return numbered ? numbered[1] : old ? `r${old[1] ? `${old[1]}x` : old[2]}` : name;
}

// True if an instruction writes registers that it does not name: multiplications, divisions, extensions of signs,
// strings.
function writesUnnamed(text, register) {
	const name = text.split(' ')[0];
	return /^(mul|imul|i?div|c[dqlw]t[dqlo]|cq?to)/.test(name) && !text.includes(',') && /^r[ad]x$/.test(register) ||
		/^(rep|movs[bwlq]?$|stos|lods|scas|cmps[bwlq]?$)/.test(name) && /^r(cx|si|di|ax)$/.test(register);
}

// How the address of an access goes on from one time to the next, if a register of it is moved once, as often as the
// access is done, and else only set in between: {step, text, row}; step is 0 if it is moved by another register, row
// is how many steps are made before it is set again.  Null if that is not so.
function strideOf({text, code, row}, instructions) {
	const operand = memoryOperand(text);
	const times = instructions.at(code.costs, row);
	const found = [];
	for (const [register, scale] of operand ? [[operand.base, 1], [operand.index, operand.scale]] : []) {
		if (!register || register === 'rsp')
			continue;
		let set = 0;
		for (let at = 0; at < code.length; at++) {
			const other = code.text(at);
			const often = instructions.at(code.costs, at);
			const move = stepOf(other);
			if (move && move.register === register && Math.abs(often - times) <= times * 0.1)
				found.push({step: Math.abs(move.step) * scale, text: other, register});
			else if (registerWritten(other) === register || writesUnnamed(other, register))
				set += often;
		}
		// Set as often as it is used: where from is not known.
		if (set > times * 0.5)
			return null;
		for (const move of found)
			if (move.register === register)
				move.row = set ? times / set : times;
	}
	// Moved twice in turns: the sum is not known from here.
	return found.length === 1 ? found[0] : null;
}

// How many sets of a cache addresses that are step bytes apart fall into.
function setsUsed(cache, step) {
	const span = cache.sets * cache.line;
	let [a, b] = [span, step % span];
	while (b)
		[a, b] = [b, a % b];
	return step < cache.line ? cache.sets : Math.min(cache.sets, span / a);
}

// -- reasons of misses --

// Why places miss a level of caches, where that was counted (--miss-classes=yes), and who pushes whom out of a set of
// D1.

// By what the event's name ends in: what such misses are, and what to do about them.
const MISS_CLASSES = [
	{ending: 'cold', text: 'cold',
		advice: 'Used for the first time: keep a buffer and use it again, not fresh memory each time, or prefetch.'},
	{ending: 'cap', text: 'capacity', advice: ''},
	{ending: 'conf', text: 'conflicts',
		advice: 'Too many lines of one set: pad by a line, or copy together what is used together.'},
];

// The class that most misses of a level are of, with a sentence that has the shares of all; null if they were not
// counted.  valueOf has the value of a measure there.
function missClass(findings, level, valueOf) {
	if (!findings.measures.get(`${level}cold`))
		return null;
	const list = MISS_CLASSES.map(item => ({...item, misses: valueOf(level + item.ending)}));
	const sum = sumOf(list, item => item.misses);
	const most = list.reduce((a, b) => b.misses > a.misses ? b : a);
	return sum > 0 ? {...most, shares: `Its misses of ${level} are ${list.filter(item => item.misses > 0)
		.map(item => `${percent(item.misses, sum)} ${item.text}`).join(', ')}.`} : null;
}

// Of the profile's lines "Conflicts: 90 of 100 in D1, 4096 bytes apart: f.c:12 f <-> f.c:14 g" that name one line of
// code: [{n, all, apart, ends}], ends being {path, line}.
function conflictsAt(profile, path, line) {
	const end = text => {
		const match = /^(.*?):(\d+) /.exec(text) || [];
		return {path: match[1] || '', line: Number(match[2] || 0)};
	};
	return profile.headers.map(header =>
		/\bConflicts: (\d+) of (\d+) in D1(?:, (\d+) bytes apart)?: (.+) <-> (.+)$/.exec(header)).filter(Boolean)
		.map(([, n, all, apart, ...ends]) =>
			({n: Number(n), all: Number(all), apart: Number(apart || 0), ends: ends.map(end)}))
		.filter(({ends}) => line && ends.some(one => one.line === line &&
			(`/${one.path}`.endsWith(`/${path}`) || `/${path}`.endsWith(`/${one.path}`))));
}

// "a[i] += b[i]; f.c:12", with the text if the page has it.
function endText(profile, {path, line}) {
	const file = profile.files.findIndex(one => baseName(one) === baseName(path));
	const text = file < 0 ? null : textOf(profile, file).line(line);
	return `${text ? `${shorten(text.trim(), 60)} ` : ''}${place(path, line)}`;
}

// Of the pairs of a line, the one that most conflicts are of: who with whom, how far apart, what would help; null if
// there is none.  The same two the other way round are that pair, too.
function conflictAdvice(profile, path, line, D1) {
	const pairs = conflictsAt(profile, path, line).sort((a, b) => b.n - a.n);
	const [first] = pairs;
	if (!first)
		return null;
	const keyOf = ({ends}) => ends.map(end => `${end.line} ${end.path}`).sort().join();
	const n = sumOf(pairs.filter(pair => keyOf(pair) === keyOf(first)), pair => pair.n);
	const [one, other] = first.ends.map(end => endText(profile, end));
	const pair = `${one} <-> ${one === other ? 'itself' : other}`;
	const isSet = D1 && first.apart % (D1.sets * D1.line) < D1.line;
	return {
		advice: first.apart ? `${pair}: ${count(first.apart)} B apart${isSet ? ', the same set of D1' : ''}; ` +
			`pad by ${D1 ? D1.line : 64}.` :
			`${pair}: in the same sets of D1, at changing distances; pad, or copy together what is used together.`,
		evidence: `${count(n)} of all ${count(first.all)} conflict misses of D1 are of this pair.`,
	};
}

// Why a place misses D1, by what was counted; null if that was not.  where is {valueOf, path, line}, guess what is
// known without.
function countedReason(findings, level, where, guess) {
	const {D1} = findings.caches;
	const found = missClass(findings, 'D1', where.valueOf);
	if (!found)
		return null;
	if (found.ending === 'conf') {
		const pair = conflictAdvice(findings.profile, where.path, where.line, D1) || {advice: found.advice, evidence: ''};
		return {title: `Conflicts in D1: misses there, hits in ${level}`, advice: pair.advice, isKnown: true,
			evidence: [found.shares, pair.evidence, ...guess.evidence].filter(Boolean)};
	}
	if (found.ending === 'cold')
		return {title: 'Cold misses of D1', advice: found.advice, evidence: [found.shares]};
	// Padding would not help.
	return guess.isInOrder ? {...guess, evidence: [found.shares, ...guess.evidence]} :
		{title: `More than D1 holds: misses there, hits in ${level}`,
			advice: `Go in blocks that fit into D1${D1 ? ` (${bytes(D1.size)})` : ''}, or make data smaller.`,
			evidence: [found.shares]};
}

// Advice for misses of the last level: usual is that without classes.  Where little of each line is used, fewer lines
// are fewer cold misses, too.
function countedMemory(findings, valueOf, usual) {
	const found = missClass(findings, 'LL', valueOf);
	const isUsual = found && (found.ending === 'cap' || usual.isSparse && found.ending === 'cold');
	return found ? {advice: isUsual ? usual.advice : found.advice, evidence: [...usual.evidence, found.shares]} : usual;
}

// -- what dominates cycles --

// Where to look, in profiles that have cycles: what dominates the cycles of a line or function, with its share and what
// counts say of it.  Misses and mispredictions explain cycles; they are not weighed by what they usually cost.

// A part beside the largest one is named if it has these shares: of the place's cycles, and of all cycles.
const SHARE_OF_PLACE = 0.25;
const SHARE_OF_ALL = 0.02;
// The largest part dominates if it has this share.
const SHARE_THAT_DOMINATES = 0.4;
// Above so many cycles for each miss, few are under way at a time: side by side, each waits for less.
const CYCLES_OF_LONE_MISS = 100;
const MOST_PLACES = 8;

const CHASE_ADVICE = 'Put nodes that follow each other side by side, take arrays, or follow several chains at a time.';
const LONE_ADVICE = 'Have several misses under way: loads that do not need each other, prefetching, arrays, not lists.';
const CHAIN_ADVICE = 'Break the chain: several sums at a time, no divisions, values kept in registers.';
const FRONT_ADVICE = 'Put code that runs together side by side, or make it smaller: less inlining and unrolling.';

// True if an access loads its own next address: into a register of its operand, or into one that is copied there, which
// nothing else sets as often but such loads.
function isChase({text, code, row}, instructions) {
	const [operand, loaded] = [memoryOperand(text), registerWritten(text)];
	if (!operand || !loaded || !/^mov/.test(text.trim()))
		return false;
	const least = instructions.at(code.costs, row) / 2;
	return [operand.base, operand.index].filter(Boolean).some(register => {
		const setters = [];
		for (let at = 0; at < code.length; at++) {
			const [other, own] = [code.text(at), memoryOperand(code.text(at))];
			if (at !== row && registerWritten(other) === register && instructions.at(code.costs, at) > least &&
				!(own && [own.base, own.index].includes(register)))
				setters.push(other.trim());
		}
		return register === loaded ? !setters.length :
			setters.length === 1 && new RegExp(`^movq? %${loaded}, ?%${register}$`).test(setters[0]);
	});
}

class StackFindings {
	// findings: what else is known of the profile's lines; its cards are of cycles from here on.
	constructor(findings) {
		const {stack} = findings.measures;
		this.findings = findings;
		this.places = findings.places;
		findings.cost = this.cost = stack;
		findings.whole = this.whole = stack.sum(findings.profile.totals);
	}

	all() {
		const {findings} = this;
		const cycles = this.places.column(this.cost);
		const places = findings.top(cycles, this.whole, MOST_PLACES, SHARE_OF_ALL);
		places.forEach(at => this.place(at, cycles[at]));
		this.wholeFunctions(places);
		const hottest = findings.list.filter(item => item.line || !findings.byLine)
			.reduce((a, b) => !a || b.cycles > a.cycles ? b : a, null);
		if (hottest)
			hottest.title = `The hottest ${hottest.line ? 'line' : 'function'}  \u00b7  ${hottest.title}`;
		findings.loader();
		findings.dearerFromOnePlace().forEach(call => this.dearer(call));
		this.calls();
		findPlacement(findings);
		findData(findings);
		return findings.list.filter(item => item.weight >= this.whole * SHARE_OF_ALL).sort((a, b) => b.weight - a.weight);
	}

	// Functions whose cycles are spread over lines that are not worth a card each.
	wholeFunctions(places) {
		const {findings} = this;
		if (!findings.byLine)
			return;
		const {functions} = findings.profile;
		const named = new Set(places.flatMap(at => this.places.functions(at)));
		const self = this.cost.column(functions.self);
		dearest(self, 2, i => self[i] >= this.whole * SHARE_OF_ALL && !named.has(i) && !isLoader(functions.objectOf(i)))
			.forEach(index => this.reasons(event => functions.self[event][index], self[index],
				{at: -1, value: name => findings.valueAt(name, functions.self, index)},
				reason => findings.addFunction(index, reason)));
	}

	place(at, cycles) {
		this.reasons(event => this.places.at(event, at), cycles, {at, value: name => this.valueAt(name, at)},
			reason => this.findings.add(reason.kind, reason.title, at, reason));
	}

	valueAt(name, at) {
		const column = this.findings.column(name);
		return column ? column[at] : 0;
	}

	// One for the largest part, and for others that are worth it; the method of a part's class (STACK_PARTS) says why.
	// where is {at, value}: a place (-1 = a function as a whole), and what a measure has there.
	reasons(costOf, cycles, where, put) {
		const parts = cycleParts(this.findings.profile, this.cost, costOf).sort((a, b) => b.value - a.value);
		const [first] = parts;
		if (!first)
			return;
		const share = `${percent(cycles, this.whole)} of all cycles are spent here`;
		const shares = parts.filter(part => part.value >= cycles * 0.01)
			.map(part => `${percent(part.value, cycles)} ${part.text}`);
		const evidence = [`${count(cycles)} cycles: ${shares.join(', ')}.`];
		if (first.value < cycles * SHARE_THAT_DOMINATES)
			return put({kind: 'hot', title: 'No part dominates', parts, cycles, weight: cycles, event: this.cost.name,
				text: `${share}: ${shares.slice(0, 3).join(', ')}.`, evidence});
		// Whatever is executed has to pass through the core.
		const others = parts.slice(1).filter(part => part.event !== EVENT_NAMES.CYBASE &&
			part.value >= cycles * SHARE_OF_PLACE && part.value >= this.whole * SHARE_OF_ALL);
		for (const part of [first, ...others]) {
			const {why, advice, isKnown = false, ...reason} = this[part.kind](part, where);
			put({
				...reason, cycles, weight: part === first ? cycles : part.value, event: part.event,
				...part === first ? {parts} : {},
				text: (part === first ? `${share}, ${percent(part.value, cycles)} of them` :
					`Another ${percent(part.value, cycles)}`) + ` ${why}.`,
				// What to do is said of the largest part, and where it is known, not guessed.
				advice: part === first || isKnown ? advice : '',
				evidence: [...part === first ? evidence : [], ...reason.evidence || []],
			});
		}
	}

	results(part, where) {
		return {kind: 'results', title: 'Waits for results', advice: CHAIN_ADVICE,
			why: 'waiting for results of instructions before it: a chain', evidence: this.instruction(part, where)};
	}

	// One chain of loads, one load after the other, or else what shows in the code.
	ll(part, where) {
		const {findings} = this;
		const [first, last] = [where.value('D1m'), where.value('DLm')];
		const level = first > 0 ? findings.levelThatHas(where.value) : '';
		const [misses, event] = level ? [first, 'D1m'] : [last, 'DLm'];
		const from = level || 'memory';
		const each = misses > 0 ? part.value / misses : 0;
		const worst = where.at >= 0 && misses > 0 ? findings.worstAt(where.at, event) : null;
		const title = `Waits for ${from}`;
		const rate = misses > 0 && where.value('Drefs') > 0 ?
			`${percent(misses, where.value('Drefs'))} of its ${count(where.value('Drefs'))} data references miss in ` +
			`${level ? 'D1' : 'the last level'}` : '';
		const evidence = [...rate ? [`${rate}: ${quotient(each)} cycles for each miss.`] : [],
			...this.instruction(part, where)];
		const reads = where.value(level ? 'D1mr' : 'DLmr') * 2 > misses;
		if (worst && reads && isChase(worst, findings.measures.get('Ir') || findings.cost))
			return {kind: 'memory', title, advice: CHASE_ADVICE, evidence,
				why: `waiting for ${from}: a pointer chase, each address comes from the load before`};
		if (!level && reads && each >= CYCLES_OF_LONE_MISS)
			return this.told(worst, where, evidence, LONE_ADVICE,
				`waiting for memory, ${quotient(each)} cycles for each miss: few are under way at a time`);
		if (level) {
			const reason = findings.reasonOfMisses(worst, level, this.whereOf(where));
			return {kind: reason.title.startsWith('Conflict') ? 'conflict' : 'memory', title: reason.title,
				advice: reason.advice, isKnown: reason.isKnown, evidence: [...evidence, ...reason.evidence],
				why: `waiting for ${level}${rate ? `: ${rate}` : ''}`};
		}
		return this.told(worst, where, evidence, HOT_ADVICE.ll, `waiting for memory${rate ? `: ${rate}` : ''}`);
	}

	// What machine code says of misses of the last level; else what to do is as usual.
	told(worst, where, evidence, usual, why) {
		const {LL} = this.findings.caches;
		const told = this.findings.memoryAdvice(worst, LL ? LL.line : 64, ...evidence);
		if (told.advice === HOT_ADVICE.ll)
			told.advice = usual;
		return {kind: 'memory', title: 'Waits for memory', ...countedMemory(this.findings, where.value, told), why};
	}

	whereOf({at, value}) {
		return {...at < 0 ? {path: '', line: 0} : this.findings.whereOf(at), valueOf: value};
	}

	branch(part, where) {
		const {executed, missed, kind, what, advice} = BRANCH_KINDS.reduce((a, b) =>
			where.value(b.missed) > where.value(a.missed) ? b : a);
		const [all, wrong] = [where.value(executed), where.value(missed)];
		if (!wrong)
			return {kind: 'branch', title: 'Loses branches', advice: FRONT_ADVICE,
				why: 'lost to branches whose targets were not known in time',
				evidence: [`${count(where.value('Btm'))} misses of the branch target buffer.`]};
		const each = part.value / sumOf(BRANCH_KINDS, ({missed: name}) => where.value(name));
		const {text, ...known} = where.at < 0 || !kind ? {} : this.findings.oneBranch(where.at, kind, wrong);
		return {
			kind: 'branch', title: 'Mispredicted', advice, ...known,
			why: `lost to mispredicted branches: ${percent(wrong, all)} of its ${count(all)} ${what} are mispredicted`,
			evidence: [`${count(wrong)} mispredictions, ${quotient(each)} cycles for each.`,
				...text ? [text] : [], ...known.evidence || []],
		};
	}

	tlb(part, where) {
		const [misses, walks] = [['ITm', 'DTm'], ['ISm', 'DSm']].map(names => sumOf(names, where.value));
		const huge = this.findings.measures.get('Walks2M') ? where.value('Walks2M') : -1;
		return {
			kind: 'tlb', title: walks > 0 ? 'Walks the page table' : 'Misses the first TLB',
			why: `waiting for TLBs: ${count(misses)} misses, of which ${count(walks)} walk the page table`,
			advice: huge >= 0 && hugeAdvice(walks - huge, walks) || 'Use fewer pages at a time, or huge ones.',
			evidence: misses > 0 ? [`${quotient(part.value / misses)} cycles for each miss.`] : [],
		};
	}

	front(part, where) {
		const [misses, instructions] = [where.value('I1mr'), where.value('Ir')];
		const isMissing = misses > 0 && misses * CYCLES_OF_LONE_MISS > part.value;
		return {
			kind: 'front', title: isMissing ? 'Code that is not in I1' : 'Waits for code', advice: FRONT_ADVICE,
			why: isMissing ? `in the front end, waiting for code: ${count(misses)} instruction misses` :
				'in the front end: the core waits for code to be fetched',
			evidence: [...instructions ? [`${quotient(part.value / instructions)} cycles for each instruction.`] : [],
				...this.instruction(part, where)],
		};
	}

	exec(part, where) {
		return {
			kind: 'hot', title: 'Width and ports', advice: HOT_ADVICE.exec,
			why: 'for width and ports: it is limited by how many instructions the core takes',
			evidence: this.rate(where.value('Ir') / part.value),
		};
	}

	// How many instructions each cycle takes, of those that the core can take, if the profile says how many.  They may
	// seem more: of two that fuse, one takes no slot, and cycles of each instruction are rounded to tenths.
	rate(each) {
		const width = coreWidth(this.findings.profile.headers);
		if (!width || !each)
			return [];
		return [each < width ? `${quotient(each)} instructions in each of these cycles, of ${width} that the core takes.` :
			`As many instructions in each of these cycles as the core takes, ${width}: ` +
				'a compare and its jump are one to it.'];
	}

	// The instruction of a line that has most of a part, where it has half of it.
	instruction(part, where) {
		const {findings, places} = this;
		const [file, line] = where.at < 0 ? [0, 0] : [places.file[where.at], places.line[where.at]];
		if (!line)
			return [];
		const measure = findings.measures.get(part.event);
		const wanted = [...new Set(places.functions(where.at))].map(index => ({function: index, file, line}));
		const [most] = accessesOf(findings.profile, wanted, measure, measure).sort((a, b) => b.refs - a.refs);
		return most && most.refs * 2 >= part.value ?
			[`${percent(most.refs, part.value)} of that at ${most.text.trim()}.`] : [];
	}

	// Weighed by what waiting for data costs more than from the other place.
	dearer(call) {
		const {findings} = this;
		const each = row => findings.callValue(EVENT_NAMES.CYMEM, row) / findings.callValue('Drefs', row);
		const excess = (each(call.worst) - each(call.best)) * findings.callValue('Drefs', call.worst);
		if (excess >= this.whole * SHARE_OF_ALL) {
			findings.addDearer(call);
			Object.assign(findings.list.at(-1), {weight: excess, cycles: 0});
			findings.list.at(-1).evidence.unshift(`It waits for data ${count(excess)} cycles more from here.`);
		}
	}

	// Weighed by what the core takes for as many instructions.
	calls() {
		const {findings} = this;
		const known = findings.list.length;
		const instructions = findings.sum('Ir');
		findings.calls();
		for (const card of findings.list.slice(known))
			card.weight *= instructions > 0 ? findings.sum(EVENT_NAMES.CYBASE) / instructions : 0;
	}
}
