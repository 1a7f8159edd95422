// SPDX-License-Identifier: GPL-3.0-or-later
// Where to look, in profiles that have cycles: what dominates those of a line or function, with its share and what
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

// Whether an access loads its own next address: into a register of its operand, or into one that is copied there, which
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

	// Whether it is one chain of loads, one load after the other, or else what shows in the code.
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
