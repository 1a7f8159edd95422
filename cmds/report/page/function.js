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
		this.across = new Splitter({label: 'Source and machine code', upright: true,
			automatic: () => this.shareOfSource(),
			place: percent => this.mixed.style.setProperty('--split', `${percent}%`)});
		this.mixed = el('div', {class: 'panes'}, this.source.element, this.across.element, this.code.element);
		this.down = new Splitter({label: 'Callers and callees, and the source', upright: false,
			automatic: () => this.shareOfRelations(),
			place: percent => this.relations.style.setProperty('--relations', `${percent}%`)});
		this.hider = button({class: 'hider', help: 'Shows or hides the machine code (m)',
			onclick: () => this.turnCode()}, 'Machine code');
		this.segments = el('div', {class: 'segments', role: 'group', 'aria-label': 'What is shown of the function'});
		// More columns, where there is more room.
		new ResizeObserver(() => get('view') === 'function' && this.mixed.clientWidth !== this.width &&
			this.drawCode(this.index)).observe(this.mixed);
		this.body = el('div', {class: 'below'}, this.relations, this.down.element, this.mixed);
		this.element = el('div', {class: 'view fill function'},
			el('header', {}, this.name, this.meta, this.figures, this.hider), this.segments, this.body);
		return this.element;
	},

	// On a phone there is room for one thing at a time.
	drawSegments() {
		const parts = [['callers', `Callers ${this.callers.arcs.length}`], ['callees', `Callees ${this.callees.arcs.length}`],
			['source', 'Source'], ['code', 'Machine code']];
		const shown = parts.some(([key]) => key === get('show')) ? get('show') : 'source';
		this.element.dataset.show = shown;
		const focused = [...this.segments.children].indexOf(document.activeElement);
		this.segments.replaceChildren(...parts.map(([key, text]) => button({
			'aria-pressed': String(key === shown), onclick: () => go({show: key === 'source' ? '' : key}, true),
		}, text)));
		if (focused >= 0)
			this.segments.children[focused].focus();
	},

	turnCode() {
		if (this.code.table.length)
			go({code: get('code') === '0' ? '' : '0'}, true);
	},

	// As much as both need, or a little more for the source.
	shareOfSource() {
		const whole = this.mixed.clientWidth || 1;
		if (!this.code.code)
			return 50;
		const [source, code] = [this.source.need, this.code.need];
		return source + code < whole ? source / (source + code) * 100 :
			Math.max(100 - code / whole * 100, Math.min(56, source / whole * 100));
	},

	// No taller than their rows need.
	shareOfRelations() {
		const rows = Math.min(5, Math.max(1, this.callers.arcs.length, this.callees.arcs.length));
		return (rows * 26 + 64) / (this.body.clientHeight || 600) * 100;
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
		const index = this.index = functionToShow();
		if (index < 0)
			return;
		const name = f.names[index] || '(no name)';
		this.name.textContent = fitted(name, form => !PHONE.matches || form.length < 100);
		this.name.dataset.help = this.name.textContent === name ? '' : name;
		const path = name => el('span', {help: name, tabindex: '0'}, baseName(name));
		this.meta.replaceChildren(...[unknownFunction(), f.fileOf(index) ? path(f.fileOf(index)) : '',
			f.objectOf(index) ? path(f.objectOf(index)) : '', f.cycle[index] ? `in ${cycleHelp(index)}` : '',
			choice.part ? `costs of ${choice.part.name}; lines and calls of all parts` : '',
			this.called(index)].filter(Boolean)
			.flatMap((part, i) => i ? ['  \u00b7  ', part] : [part]));
		this.figures.replaceChildren(...[...this.figure(index), curveFigure(index)].filter(Boolean));
		this.callers.update(index);
		this.callees.update(index);
		this.down.update();
		this.drawSegments();
		const code = choice.profile.code(index);
		const none = !code || !code.length;
		this.alone = none || get('code') === '0';
		this.hider.setAttribute('aria-pressed', String(!this.alone));
		this.hider.setAttribute('aria-disabled', String(none));
		this.hider.textContent = none ? 'No machine code' : 'Machine code';
		this.mixed.classList.toggle('alone', this.alone);
		this.drawCode(index);
	},

	called(index) {
		const now = choice.profile.functions.calls[index];
		const more = olderProfile() ? countChange(now, olderProfile().calls[index]) : '';
		const times = number => number === 1 ? 'once' : `${count(number)} times`;
		const {arcs} = choice.profile;
		const own = sumOf(arcs.into(index), arc => arcs.from[arc] === index ? arcs.count[arc] : 0);
		return `called ${times(now)}${more && ` (${more})`}${own ? `, and ${times(own)} by itself` : ''}`;
	},

	drawCode(index) {
		const f = choice.profile.functions;
		this.width = this.mixed.clientWidth;
		const columns = codeColumns(index, this.alone || this.width > 1350 ? 4 : this.width > 1000 ? 3 : 2);
		const key = [index, get('event'), get('part'), get('with'), columns.map(c => c.name)].join(' ');
		const again = key === this.drawn;
		this.drawn = key;
		if (!again) {
			this.source.update(index, columns);
			this.code.update(index, columns);
		}
		this.across.update();
		this.hider.dataset.help = this.code.table.length ? 'Shows or hides the machine code (m)' : this.code.note.textContent;
		// What was hidden behind another view has forgotten where it was scrolled to.
		const lost = [this.source, this.code].every(pane => pane.table.element.scrollTop === 0);
		const stays = again && !lost;
		const line = Number(get('line'));
		if (line && !(stays && this.shown === line)) {
			const file = chosenFile(f.file[index]);
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
		const {cycles} = choice.measures;
		const names = [choice.measure.name, cycles ? cycles.name : '', 'Ir', 'D1m', 'DLm', 'LLm', 'Bm'];
		return [...new Set(names)].map(name => choice.measures.get(name)).filter(Boolean).map(measure => {
			const whole = measure.sum(choice.totals);
			const inclusive = measure.at(choice.inclusive, index);
			const self = measure.at(choice.self, index);
			const changes = choice.older ? [['self', self - measure.at(choice.older.self, index)],
				['inclusive', measure.isOwn ? 0 : inclusive - measure.at(choice.older.inclusive, index)]] : [];
			return el('div', {class: 'figure', help: measure.long, tabindex: '0'},
				el('b', {}, measure.name), el('span', {}, `self ${percent(self, whole)}`),
				measure.isOwn ? null : el('span', {}, `inclusive ${percent(inclusive, whole)}`),
				measure === cycles ? this.parts(index) : null,
				changes.filter(([, value]) => value).map(([which, value]) =>
					el('span', {class: value > 0 ? 'worse' : 'better'}, `\u0394 ${which} ${change(value)}`)));
		});
	},
	// Where the cycles of the function itself go.
	parts(index) {
		const {profile, measures, self} = choice;
		const parts = cycleParts(profile, measures.cycles, event => self[event][index]);
		return parts.length > 1 ? el('span', {class: 'stack small'},
			stackOf(parts)) : null;
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
		this.help = help;
		this.arcs = [];
		this.table = new RowWindow({
			label: title, onOpen: row => openFunction(choice.profile.arcs[this.end][this.arcs[row]]),
		});
		this.title = el('h2', {help, tabindex: '0'}, title);
		this.element = el('section', {'aria-label': title}, this.title, this.table.element);
	}

	update(index) {
		const {arcs} = choice.profile;
		const costs = choice.measure.column(arcs.costs);
		const older = olderProfile();
		const before = older ? choice.measure.column(older.arcs.costs) : costs;
		this.arcs = Array.from(this.end === 'from' ? arcs.into(index) : arcs.outOf(index))
			.sort((a, b) => costs[b] - costs[a] || before[b] - before[a] || a - b);
		const whole = totalOfParts();
		const recursive = row => isRecursive(arcs.from[this.arcs[row]], arcs.to[this.arcs[row]]);
		const again = this.arcs.filter((_, row) => recursive(row)).length;
		this.element.classList.toggle('none', !this.arcs.length);
		this.title.textContent = `${this.end === 'from' ? 'Callers' : 'Callees'} (${this.arcs.length}${ofAllParts()})` +
			(again ? `  \u00b7  \u21ba ${again} within a recursion: no shares` : '');
		this.title.dataset.help = this.help + (again ? ' Within a recursion (\u21ba), what an inner call costs is ' +
			'counted in all outer ones, too: these rows may add up to more than the function costs.' : '');
		const inRows = column => this.arcs.map(arc => column[arc]);
		const each = inRows(costs).map((cost, row) => cost / arcs.count[this.arcs[row]]).filter(Number.isFinite);
		this.table.set([
			{key: 'cost', title: `${choice.measure.name} of the calls`, brief: choice.measure.name, align: 'number',
				...widthsOfCosts(inRows(costs)), narrow: '5rem',
				help: `${choice.measure.long}: all that was done in these calls.`,
				cell: row => [barCell(roomy(costs[this.arcs[row]]), recursive(row) ? 0 : costs[this.arcs[row]] / whole),
					el('small', {}, recursive(row) ? recursionSign(arcs.from[this.arcs[row]], arcs.to[this.arcs[row]]) :
						percent(costs[this.arcs[row]], whole))]},
			...this.changeColumns(older, costs, before, recursive),
			{key: 'count', title: 'Calls', align: 'number', kind: 'counts', narrow: '5rem',
				...widthsOfCounts(inRows(arcs.count), older && inRows(older.arcs.count)),
				help: 'How many calls' + (older ? `; \u0394: how many more than in ${older.title}.` : '.'),
				cell: row => countCell(arcs.count[this.arcs[row]], older && older.arcs.count[this.arcs[row]])},
			{key: 'each', title: 'Per call', align: 'number',
				...older ? {width: '5.5rem'} : widthsFor(extremes(each).map(quotient), {least: 8.5}),
				help: `${choice.measure.name} of a call on average.`,
				cell: row => {
					const each = costs[this.arcs[row]] / arcs.count[this.arcs[row]];
					return older && each >= 1e5 ? el('span', {help: quotient(each)}, shortCount(each)) : quotient(each);
				}},
			{key: 'name', title: 'Function', width: 'minmax(8rem, 1fr)', narrow: true, named: true,
				help: 'Enter or a click opens it.',
				cell: (row, room) => {
					const other = arcs[this.end][this.arcs[row]];
					return [other === index ? dim('(itself) ') : null, nameLink(other, room)];
				}},
		].filter(({key}) => !choice.measure.isOwn || ['count', 'name'].includes(key)), this.arcs.length, null);
	}

	// What the calls cost more or less than in the older profile.
	changeColumns(older, costs, before, recursive) {
		if (!older)
			return [];
		const whole = choice.measure.sum(older.totals);
		return [{
			key: 'change', title: '\u0394', align: 'number', kind: 'change', narrow: '5rem',
			...widthsOfShortChanges(),
			help: `The change of what the calls cost since ${older.title}: new minus old.`,
			cell: row => {
				const value = costs[this.arcs[row]] - before[this.arcs[row]];
				return changeBar(value, whole, recursive(row) ? '' : 'the older run');
			},
		}];
	}
}

// The measures beside each line and instruction: the chosen one, and as many as there is room for of those that explain
// it: parts of cycles, where these were counted, then others by what they usually cost; mispredictions always, where
// branches were simulated.
function codeColumns(index, most) {
	const {self} = choice.profile.functions;
	const older = olderProfile();
	const spent = measure => measure.at(self, index) + (older ? measure.at(older.self, index) : 0);
	const wanted = [choice.measure, choice.per === 'calls' ? null : choice.per, choice.measures.get('Ir')];
	const rest = Object.keys(USUAL_COSTS).map(name => choice.measures.get(name))
		.filter(measure => measure && spent(measure) > 0)
		.sort((a, b) => USUAL_COSTS[b.name] * spent(b) - USUAL_COSTS[a.name] * spent(a));
	const parts = choice.measures.stack ? STACK_PARTS.map(([,, event]) => choice.measures.get(event))
		.filter(Boolean).sort((a, b) => spent(b) - spent(a)) : [];
	const columns = [...new Set([...wanted, ...parts, ...rest])]
		.filter((measure, i) => measure && (i === 0 || spent(measure) > 0));
	// Which branches are mispredicted is not seen elsewhere.
	const wrong = columns.slice(most).filter(measure => measure.name === 'Bm');
	return [...columns.slice(0, most), ...wrong];
}

// In pixels of the font of the panes, with tabs every four characters.
function widthOfTexts(texts) {
	ruler.font = `12.5px ${getComputedStyle(document.documentElement).getPropertyValue('--mono')}`;
	const most = texts.reduce((a, text) => Math.max(a, text.replace(/\t/g, '    ').length), 20);
	return Math.ceil(most * ruler.measureText('m').width) + 14;
}

// Of columns whose widths are in rem or px.
function widthOfColumns(columns) {
	return sumOf(columns, ({width}) => parseFloat(width) * (width.endsWith('rem') ? 16 : 1));
}

// Columns of costs; costAt(measure, row) is undefined where there is nothing to show, againHelp(row) says of calls
// within a recursion that they are no share.
function costCells(measures, greatest, costAt, what, againHelp = () => '') {
	return measures.map((measure, i) => ({
		key: measure.name, title: measure.name, align: 'number', kind: 'heat', stick: true,
		width: `${Math.max(3.6, measure.name.length * 0.56 + 0.8).toFixed(1)}rem`,
		narrow: i === 0 ? '4.2rem' : false,
		help: `${measure.long}: of this ${what}. The redder, the more of the function's.`,
		cell: row => {
			const value = costAt(measure, row);
			if (!value)
				return '';
			// Roots: what has a hundredth of the cost is still seen.
			const heat = Math.sqrt(Math.abs(value) / (greatest[i] || 1));
			return el('span', {class: 'warm', vars: {'--heat': String(Math.min(1, heat))},
				help: `${count(value)} ${measure.name}` + (againHelp(row) ? `\n${againHelp(row)}` :
					`: ${percent(value, measure.sum(choice.profile.totals))} of all`)},
			shortCount(value));
		},
	}));
}
