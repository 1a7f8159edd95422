// SPDX-License-Identifier: GPL-3.0-or-later
// What costs are measured in: events that were recorded, sums of them, and how they are explained.

// What a miss or a misprediction is taken to cost, in cycles, if the profile does not say.
const USUAL_COSTS = {D1m: CYCLES.L1_MISS, DLm: CYCLES.LL_MISS, Bm: CYCLES.MISPREDICTION};

// Of what is counted in tenths, as cycles are, people see wholes.
class Measure {
	constructor({name, long, decimals = 0}, weights) {
		this.name = name;
		this.long = (decimals ? long.replace(' (tenths)', '') : long) || name;
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
	// Cycles of the machine, and none of that name in other files; but for those of a formula that is asked for.
	const stack = get(EVENT_NAMES.CYBASE) && get(EVENT_NAMES.CYMEM) && first !== get('EstCyc') ? get('Cyc') : null;
	return {
		list, get, stack,
		cycles: stack || get('EstCyc') || get('CEst'),
		first: first || new Measure({name: 'none', long: 'No event was recorded'}, []),
	};
}

// What a measure counts, within a sentence.
function costWord(measure) {
	return measure === choice.measures.stack ? 'cycles' : measure.long.replace(/ \(.*/, '').toLowerCase();
}

// What estimated cycles consist of: [text, class, of EVENT_COSTS].
const CYCLE_PARTS = [
	['executing', 'exec', 'REFERENCE'],
	['first-level misses', 'l1', 'L1_MISS'],
	['last-level misses', 'll', 'LL_MISS'],
	['mispredictions', 'branch', 'MISPREDICTION'],
];

// The same of cycles that were counted: [text, class, event].
const STACK_PARTS = [
	['width and ports', 'exec', EVENT_NAMES.CYBASE],
	['waiting for results', 'results', EVENT_NAMES.CYDEP],
	['front end', 'front', EVENT_NAMES.CYFE],
	['mispredictions', 'branch', EVENT_NAMES.CYBR],
	['waiting for memory', 'll', EVENT_NAMES.CYMEM],
	['TLB misses', 'tlb', EVENT_NAMES.CYTLB],
];

// [{text, kind, value}] of one row of costs (given as a function of the event's index); the rest is "other".
function cycleParts(profile, measure, costOf) {
	if (measure === choice.measures.stack) {
		const at = name => profile.events.findIndex(event => event.name === name);
		return STACK_PARTS.map(([text, kind, event]) => ({text, kind, event, value: at(event) < 0 ? 0 :
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
	].filter(([, part, whole]) => Number.isFinite(part) && whole > 0)
		.map(([name, part, whole, help]) => [name, percent(part, whole), help]);
	for (const [name, event, what] of [['D1 misses', 'D1m', 'First-level data misses'],
		['L2 misses', 'L2m', 'Misses of L2, of instructions and data'],
		['LL misses', 'LLm', 'Last-level misses, of instructions and data'],
		['Mispredictions', 'Bm', 'Mispredicted branches']])
		if (Number.isFinite(value(event)) && value('Ir') > 0)
			rates.push([`${name} per 1,000 instr.`, (value(event) / value('Ir') * 1000).toFixed(2),
				`${what} for each thousand instructions (MPKI)`]);
	return rates;
}
