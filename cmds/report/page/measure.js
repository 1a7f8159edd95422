// SPDX-License-Identifier: GPL-3.0-or-later
// What costs are measured in: events that were recorded, sums of them, and how they are explained.

// What a miss or a misprediction is taken to cost, in cycles, if the profile does not say.
const USUAL_COSTS = {D1m: CYCLES.L1_MISS, DLm: CYCLES.LL_MISS, Bm: CYCLES.MISPREDICTION};

class Measure {
	constructor(name, long, weights) {
		this.name = name;
		this.long = long;
		this.weights = weights;
		this.kept = new WeakMap();
	}

	// Of costs that are columns by event: one column of this measure.  It is kept.
	column(costs) {
		let column = this.kept.get(costs);
		if (column)
			return column;
		const used = this.weights.map((weight, i) => [weight, costs[i]]).filter(([weight]) => weight);
		if (used.length === 1 && used[0][0] === 1) {
			column = used[0][1];
		} else {
			column = new Float64Array(costs.length ? costs[0].length : 0);
			for (const [weight, source] of used)
				for (let i = 0; i < column.length; i++)
					column[i] += weight * source[i];
		}
		this.kept.set(costs, column);
		return column;
	}

	// Of one number for each event.
	sum(totals) {
		return this.weights.reduce((sum, weight, i) => sum + weight * totals[i], 0);
	}

	// Of one row, without making a column.
	at(costs, row) {
		let sum = 0;
		for (let i = 0; i < this.weights.length; i++)
			if (this.weights[i])
				sum += this.weights[i] * costs[i][row];
		return sum;
	}
}

function measuresOf(profile) {
	const names = profile.events.map(event => event.name);
	const list = names.map((name, i) => new Measure(name, profile.events[i].long || name,
		names.map((_, k) => k === i ? 1 : 0)));
	for (const {name, long, weights} of profile.derived)
		list.push(new Measure(name, long || name, weights));
	const byName = new Map(list.map(measure => [measure.name, measure]));
	return {
		list,
		get: name => byName.get(name) || null,
		first: list[profile.mainEvent] || new Measure('none', 'No event was recorded', []),
	};
}

// What estimated cycles consist of: [text, class, of EVENT_COSTS].
const CYCLE_PARTS = [
	['executing', 'exec', 'REFERENCE'],
	['first-level misses', 'l1', 'L1_MISS'],
	['last-level misses', 'll', 'LL_MISS'],
	['mispredictions', 'branch', 'MISPREDICTION'],
];

// [{text, kind, value}] of one row of costs (given as a function of the event's index); the rest is "other".
function cycleParts(profile, measure, costOf) {
	const parts = CYCLE_PARTS.map(([text, kind]) => ({text, kind, value: 0}));
	const rest = {text: 'other', kind: 'other', value: 0};
	profile.events.forEach((event, i) => {
		const at = CYCLE_PARTS.findIndex(part => part[2] === EVENT_COSTS[event.name]);
		(at < 0 ? rest : parts[at]).value += measure.weights[i] * costOf(i);
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
