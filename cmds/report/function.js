// SPDX-License-Identifier: GPL-3.0-or-later
// One function: what it costs, who calls it and whom it calls, its source beside its machine code.

const functionView = {
	key: 'function', title: 'Function',

	build() {
		this.name = el('h1');
		this.meta = el('p', {class: 'dim meta'});
		this.figures = el('div', {class: 'figures'});
		this.callers = new RelationTable('Callers', 'from', 'Who calls this function, and what the calls cost.');
		this.callees = new RelationTable('Callees', 'to', 'Whom this function calls, and what the calls cost.');
		this.relations = el('div', {class: 'relations'}, this.callers.element, this.callees.element);
		this.source = new SourcePane(place => this.reveal(place));
		this.code = new CodePane(place => this.reveal(place));
		this.mixed = el('div', {class: 'panes'}, this.source.element, this.code.element);
		return el('div', {class: 'view fill function'},
			el('header', {}, this.name, this.meta, this.figures),
			this.relations, this.mixed);
	},

	// A line that was chosen in one pane is shown in the other.
	reveal(from) {
		if (from.pane === this.source)
			this.code.show(from.file, from.line);
		else
			this.source.show(from.file, from.line);
		go(from.line ? {line: from.line, file: from.file} : {line: '', file: ''}, true);
	},

	update() {
		const f = choice.profile.functions;
		let index = chosenFunction();
		// Without a choice, the most expensive one: an empty page helps nobody.
		if (index < 0)
			index = argMax(selfColumn());
		if (index < 0)
			return;
		this.name.textContent = f.names[index] || '(no name)';
		const path = name => el('span', {'data-help': name, tabindex: '0'}, baseName(name));
		this.meta.replaceChildren(...[f.fileOf(index) ? path(f.fileOf(index)) : '',
			f.objectOf(index) ? path(f.objectOf(index)) : '', f.cycle[index] ? `in cycle ${f.cycle[index]}` : '',
			choice.part ? `costs of ${choice.part.name}; lines and calls of all parts` : '',
			`called ${f.calls[index] === 1 ? 'once' : `${count(f.calls[index])} times`}`].filter(Boolean)
			.flatMap((part, i) => i ? ['  \u00b7  ', part] : [part]));
		this.figures.replaceChildren(...this.figure(index));
		this.callers.update(index);
		this.callees.update(index);
		// No taller than their rows need.
		const rows = Math.min(5, Math.max(1, this.callers.arcs.length, this.callees.arcs.length));
		this.relations.style.setProperty('--relations', `${rows * 26 + 62}px`);
		this.drawCode(index);
	},

	drawCode(index) {
		const f = choice.profile.functions;
		const columns = codeColumns(index);
		const key = [index, get('event'), get('part'), get('with'), columns.map(c => c.name)].join(' ');
		const again = key === this.drawn;
		this.drawn = key;
		if (!again) {
			this.source.update(index, columns);
			this.code.update(index, columns);
		}
		// What was hidden behind another view has forgotten where it was scrolled to.
		const lost = [this.source, this.code].every(pane => pane.table.element.scrollTop === 0);
		const stays = again && !lost;
		const line = Number(get('line'));
		if (line && !(stays && this.shown === line)) {
			const file = get('file') === '' ? f.file[index] : Number(get('file'));
			this.source.show(file, line);
			this.code.show(file, line);
		} else if (!stays) {
			const hottest = this.source.showHottest();
			if (hottest)
				this.code.show(hottest.file, hottest.number);
		}
		this.shown = line;
	},

	figure(index) {
		const names = [choice.measure.name, 'EstCyc', 'Ir', 'D1m', 'DLm', 'LLm', 'Bm'];
		return [...new Set(names)].map(name => choice.measures.get(name)).filter(Boolean).map(measure => {
			const whole = measure.sum(choice.totals);
			const inclusive = measure.at(choice.inclusive, index);
			const self = measure.at(choice.self, index);
			const older = choice.older ? self - measure.at(choice.older.self, index) : 0;
			return el('div', {class: 'figure', 'data-help': measure.long, tabindex: '0'},
				el('b', {}, measure.name), el('span', {}, `self ${percent(self, whole)}`),
				el('span', {}, `inclusive ${percent(inclusive, whole)}`),
				older ? el('span', {class: older > 0 ? 'worse' : 'better'}, `\u0394 self ${change(older)}`) : null);
		});
	},
};

function argMax(column) {
	let best = column.length ? 0 : -1;
	for (let i = 1; i < column.length; i++)
		if (column[i] > column[best])
			best = i;
	return best;
}

class RelationTable {
	constructor(title, end, help) {
		this.end = end;
		this.arcs = [];
		this.table = new RowWindow({
			label: title, onOpen: row => openFunction(choice.profile.arcs[this.end][this.arcs[row]]),
		});
		this.title = el('h2', {'data-help': help, tabindex: '0'}, title);
		this.element = el('section', {'aria-label': title}, this.title, this.table.element);
	}

	update(index) {
		const {arcs, functions} = choice.profile;
		const costs = choice.measure.column(arcs.costs);
		const older = olderProfile();
		const before = older ? choice.measure.column(older.arcs.costs) : costs;
		this.arcs = Array.from(this.end === 'from' ? arcs.into(index) : arcs.outOf(index))
			.sort((a, b) => costs[b] - costs[a] || before[b] - before[a] || a - b);
		const whole = totalOfParts();
		this.title.textContent = `${this.end === 'from' ? 'Callers' : 'Callees'} (${this.arcs.length}${ofAllParts()})`;
		this.table.set([
			{key: 'cost', title: `${choice.measure.name} of the calls`, align: 'number', width: '12rem', narrow: '5rem',
				sortable: false, help: `${choice.measure.long}: all that was done in these calls.`,
				cell: row => [barCell(roomy(costs[this.arcs[row]]), costs[this.arcs[row]] / whole),
					el('small', {}, percent(costs[this.arcs[row]], whole))]},
			...this.changeColumns(older, costs, before),
			{key: 'count', title: 'Calls', align: 'number', width: older ? '9rem' : '7rem', narrow: '5rem', sortable: false,
				help: 'How many calls' + (older ? `; \u0394: how many more than in ${older.title}.` : '.'),
				cell: row => this.countCell(older, this.arcs[row])},
			{key: 'each', title: 'Per call', align: 'number', width: older ? '7rem' : '8.5rem', sortable: false,
				help: `${choice.measure.name} of a call on average.`,
				cell: row => quotient(costs[this.arcs[row]] / arcs.count[this.arcs[row]])},
			{key: 'name', title: 'Function', width: 'minmax(8rem, 1fr)', narrow: true, sortable: false,
				help: 'Enter or a click opens it.',
				cell: row => {
					const other = arcs[this.end][this.arcs[row]];
					return el('a', {href: functionLink(other), tabindex: '-1'},
						functions.names[other] + (other === index ? '  (itself)' : ''));
				}},
		], this.arcs.length, null);
	}

	countCell(older, arc) {
		const now = choice.profile.arcs.count[arc];
		const more = older ? countChange(now, older.arcs.count[arc]) : '';
		return [el('span', {}, count(now)), more ? el('small', {class: 'dim'}, more) : null];
	}

	// What the calls cost more or less than in the older profile.
	changeColumns(older, costs, before) {
		if (!older)
			return [];
		const whole = choice.measure.sum(older.totals);
		return [{
			key: 'change', title: '\u0394', align: 'number', width: '8.5rem', narrow: '5rem', sortable: false,
			help: `The change of what the calls cost since ${older.title}: new minus old.`,
			cell: row => {
				const value = costs[this.arcs[row]] - before[this.arcs[row]];
				const cell = barCell(roomy(value, true), value / whole, value > 0 ? 'worse' : 'better');
				cell.dataset.help = `${change(value)} ${choice.measure.name}, ${percent(value, whole)} of the older run`;
				return cell;
			},
		}];
	}
}

// The measures beside each line and instruction: the chosen one, and what explains it.
function codeColumns(index) {
	const names = [choice.measure.name, choice.per && choice.per !== 'calls' ? choice.per.name : '',
		'Ir', 'D1m', 'DLm', 'Bm'];
	return [...new Set(names)].map(name => choice.measures.get(name))
		.filter((measure, i) => measure && (i === 0 || measure.at(choice.profile.functions.self, index) > 0 ||
			olderProfile() && measure.at(olderProfile().self, index) > 0))
		.slice(0, 4);
}

// Columns of costs; costAt(measure, row) is undefined where there is nothing to show.
function costCells(measures, greatest, costAt, what) {
	return measures.map((measure, i) => ({
		key: measure.name, title: measure.name, align: 'number', kind: 'heat', width: '4.7rem',
		narrow: i === 0 ? '5rem' : false, sortable: false,
		help: `${measure.long}: of this ${what}. The redder, the more of the function's.`,
		cell: row => {
			const value = costAt(measure, row);
			if (!value)
				return '';
			// Roots: what has a hundredth of the cost is still seen.
			const heat = Math.sqrt(Math.abs(value) / (greatest[i] || 1));
			return el('span', {class: 'warm', vars: {'--heat': String(Math.min(1, heat))},
				'data-help': `${count(value)} ${measure.name}: ${percent(value, measure.sum(choice.profile.totals))} of all`},
			shortCount(value));
		},
	}));
}
