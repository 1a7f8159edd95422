// SPDX-License-Identifier: GPL-3.0-or-later
// Calls within a recursion: what an inner call costs is counted in the outer ones, too, so that their costs are no
// shares of anything.

function isRecursive(from, to) {
	const {cycle} = choice.profile.functions;
	return from === to || cycle[from] > 0 && cycle[from] === cycle[to];
}

// Of the inclusive costs of members of cycles, and of one member.
const CYCLE_HELP = 'inclusive costs are without calls within the cycle';

function cycleHelp(index) {
	const {cycle, whole} = choice.profile.functions;

	return `cycle ${cycle[index]}${whole[index] ? '' : `: ${CYCLE_HELP}`}`;
}

function recursionHelp(from, to) {
	return `${from === to ? 'Calls of itself' : `Calls within cycle ${choice.profile.functions.cycle[from]}`}: ` +
		'what an inner call costs is counted in all outer ones, too, so this is no share of the function, nor of the run.';
}

// In place of a share.
function recursionSign(from, to) {
	return el('span', {class: 'again', role: 'img', 'aria-label': 'recursive', help: recursionHelp(from, to)},
		'\u21ba');
}

// -- rows --

// A table of any number of rows; only those in sight are in the page.
//
// A column is {key, title, help, cell(row, room) -> node or text, width, align, narrow, stick, brief};
// narrow ones stay on a phone, under their brief titles, those that stick stay in sight when the others are scrolled to
// the side; room is what format.js takes (roomIn()).  Rows are numbers 0 .. length - 1; who uses the table says what
// they mean.

const ROWS_BEYOND = 12;
const PRINTED_ROWS = 400;
const PHONE = matchMedia('screen and (max-width: 760px)');
// What a finger hits.
const TOUCHED = 32;
let tablesMade = 0;

class RowWindow {
	// Browsers know no greater heights than 17 (Firefox) or 33 million pixels: in longer tables,
	// the bar goes faster than the rows.
	static most = 10000000;

	constructor({label, rowHeight = 26, onOpen, onSort, rowClass, overlay, header = true, onMove}) {
		Object.assign(this, {usualHeight: rowHeight, onOpen, onSort, rowClass, overlay, onMove});
		this.id = `t${++tablesMade}`;
		this.columns = [];
		this.length = 0;
		this.active = -1;
		this.head = header ? el('div', {class: 'head', role: 'row'}) : null;
		this.body = el('div', {class: 'body', role: 'rowgroup'});
		this.element = el('div', {
			class: 'rows', role: 'grid', tabindex: '0', 'aria-label': label,
			onscroll: () => this.draw(), onkeydown: event => this.key(event),
			onclick: event => this.click(event), ondblclick: event => this.click(event),
		}, this.head, this.body);
		this.rest = el('p', {class: 'paper note'});
		this.element.append(this.rest);
		new ResizeObserver(() => this.draw()).observe(this.element);
	}

	get rowHeight() {
		return PHONE.matches ? Math.max(TOUCHED, this.usualHeight) : this.usualHeight;
	}

	set(columns, length, sort) {
		this.columns = columns;
		this.length = length;
		if (this.active >= length)
			this.active = -1;
		this.element.setAttribute('aria-rowcount', String(length + 1));
		this.element.style.setProperty('--columns', columns.map(column => column.width).join(' '));
		this.element.style.setProperty('--narrow', columns.filter(column => column.narrow)
			.map(column => column.narrow === true ? column.width : column.narrow).join(' '));
		this.element.style.setProperty('--printed', columns.map(column =>
			column.printed || column.width.replace(/minmax\([^,]*/, 'minmax(0')).join(' '));
		const sticking = columns.filter(column => column.stick);
		this.left = new Map(sticking.map((column, i) =>
			[column, `calc(${['0px', ...sticking.slice(0, i).map(other => other.width)].join(' + ')})`]));
		if (this.head)
			this.head.replaceChildren(...columns.map(column => this.headCell(column, sort)));
		this.draw();
	}

	headCell(column, sort) {
		const sorted = sort && sort.key === column.key;
		const classes = `cell ${column.align || ''} ${column.narrow ? '' : 'wide'} ${column.stick ? 'stick' : ''}`;
		const mark = sorted ? (sort.up ? ' \u25b2' : ' \u25bc') : '';
		return el('div', {
			class: classes, role: 'columnheader', vars: {'--left': this.left.get(column) || ''},
			'aria-sort': sorted ? (sort.up ? 'ascending' : 'descending') : null,
		}, button({
			class: 'sort', help: column.help, 'aria-label': column.title ? null : column.help,
			onclick: event => {
				event.stopPropagation();
				if (this.onSort)
					this.onSort(column.key);
			},
		}, column.brief ? [el('span', {class: 'full'}, column.title), el('span', {class: 'brief'}, column.brief)] :
			column.title, mark));
	}

	// How far rows are above where they would be if the table were as high as it should be.
	ahead() {
		const whole = this.length * this.rowHeight;
		const inner = this.element.clientHeight - (this.headHeight || 0);
		const reach = Math.min(whole, RowWindow.most) - inner;
		return whole > RowWindow.most && reach > 0 ?
			Math.round(Math.min(1, this.element.scrollTop / reach) * (whole - inner) - this.element.scrollTop) : 0;
	}

	// Draws the rows in sight.
	draw() {
		const headHeight = this.head ? this.head.offsetHeight : 0;
		this.headHeight = headHeight;
		this.above = this.ahead();
		const sight = Math.ceil((this.element.clientHeight || 600) / this.rowHeight);
		const first = Math.max(0, Math.floor((this.element.scrollTop + this.above) / this.rowHeight) - ROWS_BEYOND);
		const last = Math.min(this.length, first + sight + 2 * ROWS_BEYOND);
		this.rooms = this.columns.map((column, i) => column.named && this.head ?
			roomIn(this.head.children[i]) : WHOLE_ROOM);
		this.element.style.setProperty('--row', `${this.rowHeight}px`);
		this.body.style.setProperty('height', `${Math.min(RowWindow.most, this.length * this.rowHeight)}px`);
		this.fill(first, last);
	}

	// For paper: the first rows, or those around the active one, which are as high as their texts.
	drawAll() {
		const first = Math.max(0, Math.min(this.active - PRINTED_ROWS / 2, this.length - PRINTED_ROWS));
		const last = Math.min(this.length, first + PRINTED_ROWS);
		this.above = 0;
		this.rooms = this.columns.map(() => WHOLE_ROOM);
		this.body.style.setProperty('height', 'auto');
		this.rest.textContent = last - first === this.length ? '' : `${count(this.length - (last - first))} more rows are ` +
			`not printed: these are rows ${count(first + 1)} to ${count(last)} of ${count(this.length)}.`;
		this.fill(first, last);
	}

	fill(first, last) {
		const rows = [];
		for (let row = first; row < last; row++)
			rows.push(this.row(row));
		if (this.overlay)
			rows.push(this.overlay(first, last));
		this.body.replaceChildren(...rows.filter(Boolean));
	}

	row(row) {
		const extra = this.rowClass ? this.rowClass(row) : '';
		return el('div', {
			class: `row ${row % 2 ? 'odd' : ''} ${row === this.active ? 'active' : ''} ${extra}`,
			role: 'row', id: `${this.id}-${row}`, 'data-row': row, 'aria-rowindex': row + 2,
			'aria-selected': row === this.active ? 'true' : 'false',
			vars: {'--top': `${row * this.rowHeight - this.above}px`},
		}, this.columns.map((column, i) => el('div', {
			class: [column.align, column.narrow ? '' : 'wide', column.kind, column.stick ? 'stick' : ''].filter(Boolean)
				.concat('cell').join(' '),
			role: 'gridcell', vars: column.stick ? {'--left': this.left.get(column)} : {},
		}, column.cell(row, this.rooms[i]))));
	}

	// Makes a row the active one and scrolls to it.
	move(row, middle = false) {
		if (!this.length)
			return;
		this.active = Math.max(0, Math.min(this.length - 1, row));
		const top = this.active * this.rowHeight;
		const height = this.element.clientHeight - (this.headHeight || 0);
		const shown = this.element.scrollTop + this.ahead();
		if (middle)
			this.scrollTo(top - height / 2, height);
		else if (top < shown)
			this.scrollTo(top, height);
		else if (top + this.rowHeight > shown + height)
			this.scrollTo(top + this.rowHeight - height, height);
		this.draw();
		this.element.setAttribute('aria-activedescendant', `${this.id}-${this.active}`);
		if (this.onMove)
			this.onMove(this.active);
	}

	// So that what is at this height of the whole table is on top.
	scrollTo(top, height) {
		const whole = this.length * this.rowHeight;
		this.element.scrollTop = whole > RowWindow.most ?
			top / (whole - height) * (RowWindow.most - height) : top;
	}

	key(event) {
		const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 2);
		const steps = {
			ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
			Home: -this.length, End: this.length,
		};
		if (event.target !== this.element || event.altKey || event.ctrlKey || event.metaKey)
			return;
		if (event.key in steps)
			this.move(this.active + steps[event.key]);
		else if (event.key === 'Enter' && this.active >= 0 && this.onOpen)
			this.onOpen(this.active);
		else
			return;
		event.preventDefault();
	}

	click(event) {
		const row = event.target.closest('.row');
		if (!row || event.target.closest('a, button'))
			return;
		this.active = Number(row.dataset.row);
		this.draw();
		if (this.onMove)
			this.onMove(this.active);
		if (event.type === 'dblclick' && this.onOpen)
			this.onOpen(this.active);
	}
}

// A number on a bar, its share of a whole.
function barCell(text, share, kind = '') {
	return el('span', {class: share ? `bar ${kind}` : 'bar none',
		vars: {'--share': String(Math.min(1, Math.abs(share) || 0))}}, text);
}

// A count with its share of a whole.
function sharedCell(value, whole) {
	return [barCell(roomy(value), value / whole), el('small', {}, percent(value, whole))];
}

// A change of the chosen measure, with a bar; hovering says which share of what it is, if of anything.
function changeBar(value, whole, what) {
	const cell = barCell(roomy(value, true), value / whole, value > 0 ? 'worse' : 'better');
	cell.dataset.help = `${change(value)} ${choice.measure.name}` + (what ? `, ${percent(value, whole)} of ${what}` : '');
	return cell;
}

// A count, and how much more it is than before; before is null if there is nothing older.
function countCell(now, before) {
	return [el('span', {}, count(now)), before === null ? null : el('small', {class: 'dim'}, countChange(now, before))];
}

// A change in short, whole on hover; nothing where there is none.
function changeCell(value) {
	return value ? el('span', {class: value > 0 ? 'worse' : 'better', help: change(value)},
		shortChange(value)) : '';
}

// A column of changes of lines or instructions, by row.
function changeColumnOf(measure, help, changeAt, more = {}) {
	return {
		key: 'change', title: `\u0394 ${measure.name}`, align: 'number', width: '5rem', narrow: '5rem', help, ...more,
		cell: row => changeCell(changeAt(row)),
	};
}

// A count, and its short form for where there is little room.
function roomy(value, signed = false) {
	return [el('span', {class: 'full'}, signed ? change(value) : count(value)),
		el('span', {class: 'brief'}, signed ? shortChange(value) : shortCount(value))];
}

// -- widths --

// How wide columns of numbers are: so that the widest number of a column is not cut, on the screen and on paper.

// Pixels of a rem, of the text of a row, and of the small text next to it, as in page.css.
const SCREEN = {rem: 14, text: 14, small: 0.8, aside: 3.6, bar: 0.6, gap: 0.5, padding: 1};
const PAPER = {rem: 11, text: 10, small: 0.73, aside: 3.2, bar: 0.2, gap: 0.3, padding: 0.5};
// What is left of A4 between the margins.
const PAPER_WIDTH = 690;

// The longest of these texts in pixels; figures are as wide as each other.
function widthOf(texts, size) {
	ruler.font = `${size}px ${getComputedStyle(document.documentElement).fontFamily}`;
	return texts.reduce((most, text) => Math.max(most, ruler.measureText(text.replace(/\d/g, '0')).width), 0);
}

// The least and the greatest of a column: one of them has the longest text.
function extremes(column) {
	let [least, greatest] = [0, 0];
	for (const value of column) {
		least = Math.min(least, value);
		greatest = Math.max(greatest, value);
	}
	return [least, greatest];
}

// Of a column with such texts, on either medium; on a bar, with shares or with smaller texts next to them,
// which are below them on paper; at least that many rem on the screen.
function widthsFor(texts, {bar = false, share = false, small = [], least = 0} = {}) {
	const text = medium => widthOf(texts, medium.text) + medium.rem * (medium.padding + (bar ? medium.bar : 0) +
		(share ? medium.gap + medium.aside : 0)) + 2;
	const beside = medium => Math.max(medium.aside * medium.rem, widthOf(small, medium.small * medium.rem));
	const below = small.length ? widthOf(small, PAPER.small * PAPER.rem) + PAPER.padding * PAPER.rem : 0;
	return {
		width: `${Math.ceil(Math.max(least * SCREEN.rem,
			text(SCREEN) + (small.length ? SCREEN.gap * SCREEN.rem + beside(SCREEN) : 0)))}px`,
		printed: `${Math.ceil(Math.max((bar ? 6.2 : 4.5) * PAPER.rem, text(PAPER), below + 2))}px`,
	};
}

// Of a column of changes; in lists of functions there is not always room for all digits.
const SHORT_CHANGES = ['\u22129,999', '\u22129.99M', '\u2212999M'];

function widthsOfChanges(column, others = []) {
	return widthsFor(extremes([...extremes(column), ...others]).map(change), {bar: true, least: 8.5});
}

function widthsOfShortChanges(least = 5.5) {
	return widthsFor(SHORT_CHANGES, {bar: true, least});
}

function widthsOfCosts(column, others = []) {
	return widthsFor(extremes([...extremes(column), ...others]).map(count), {bar: true, share: true, least: 12});
}

// Of counts, and how many more they are than before, or null.
function widthsOfCounts(now, before, least = 7) {
	if (!before)
		return widthsFor(extremes(now).map(count), {least});
	return widthsFor(extremes(now).map(count), {least: 8,
		small: extremes(now.map((value, i) => value - before[i])).map(value => countChange(value, 0))});
}

// Of columns, in pixels: all that they need at least.
function leastWidth(columns, medium) {
	return sumOf(columns, column => {
		const [, number, unit] = /([\d.]+)(px|rem)/.exec(medium === PAPER && column.printed || column.width);
		return number * (unit === 'rem' ? medium.rem : 1);
	});
}

// -- views that are sorted by a column --

// Of a view whose table is sorted by a column's value(row).
const SORTED = {
	by: {key: 'cost', up: false},

	sortBy(key) {
		this.by = {key, up: this.by.key === key && !this.by.up};
		this.update();
	},

	// Shows rows, lower groups first, and marks the one with that key, or the first, as chosen: returns it.
	// The active one stays where it is without a key, and is none if that is null.
	showRows(rows, columns, chosen, group = () => 0) {
		const {value} = columns.find(({key}) => key === this.by.key) || columns[0];
		const sign = this.by.up ? 1 : -1;
		this.rows = [...rows].sort((a, b) => group(a) - group(b) ||
			(value(a) === value(b) ? 0 : value(a) < value(b) ? -sign : sign));
		if (chosen !== undefined)
			this.table.active = chosen === null ? -1 : Math.max(0, this.rows.findIndex(({key}) => key === chosen));
		this.table.set(columns, this.rows.length, this.by);
		return this.rows[this.table.active];
	},

	// Columns without as many of those that can be spared, the last ones first, as there is no room for.
	fitting(columns, spared) {
		const left = [...columns];
		const width = this.table.element.clientWidth;
		for (const column of PHONE.matches ? [] : [...spared].reverse())
			if (width > 0 && leastWidth(left, SCREEN) > width)
				left.splice(left.indexOf(column), 1);
		return left;
	},

	// What each row has of a measure, and its share of all.
	costColumn(measure, rows, whole, help) {
		const cost = row => measure.sum(row.costs);
		return {
			key: 'cost', title: measure.name, align: 'number', narrow: '6rem', help, value: cost,
			...widthsFor(rows.map(row => shortCount(cost(row))), {bar: true, share: true, least: 9}),
			cell: at => [barCell(el('span', {help: count(cost(this.rows[at]))}, shortCount(cost(this.rows[at]))),
				cost(this.rows[at]) / whole), el('small', {}, percent(cost(this.rows[at]), whole))],
		};
	},

	// Of numbers, in short; 0 is nothing.
	numberColumn(title, help, rows, value, text = shortCount) {
		return {
			key: title, title, help, value, align: 'number',
			...widthsFor([title, ...rows.map(row => text(value(row)))], {least: 4.5}),
			cell: at => value(this.rows[at]) ? el('span', {help: count(value(this.rows[at]))}, text(value(this.rows[at]))) : '',
		};
	},

	// Of views of data: this.extra are dataColumns() besides this.measure.
	extraColumns(rows) {
		return this.extra.map(({title, help, of}) => this.numberColumn(title, `${help}.`, rows, row => of(row.costs)));
	},

	// Of tables of parts of a row: titles, and cells, of costs that are a share of the row's.
	costTitles(help) {
		return [[this.measure.name, help, 'number'], ...this.extra.map(({title, help: what}) => [title, what, 'number'])];
	},

	costCells(costs, whole) {
		return [shareCell(this.measure.sum(costs), this.measure.sum(whole)),
			...this.extra.map(({of}) => of(costs) ? count(of(costs)) : '')];
	},
};

// In lists of measures: the name, and what it is without explanations.
function measureText({name, long}) {
	return `${name} \u2013 ${cutMiddle(long.replace(/ \(.*/, ''), 40)}`;
}

// What is chosen here is so everywhere.
function measurePick(label, list, measure) {
	return select(label, list.map(one => [one.name, measureText(one)]), measure.name,
		value => go({event: value}));
}

// What a status line says, and of what it is.
function statusText(...texts) {
	return [...texts, choice.part && 'of all parts', choice.older && 'of the newer profile'].filter(Boolean)
		.join('  \u00b7  ');
}

function figure(name, value, more = '') {
	return el('div', {class: 'figure'}, el('span', {}, name), el('b', {}, value), more ? el('span', {}, more) : null);
}

// Figures of one row: its share of all, and of a whole that is chosen.
function figuresOf(row, measure, whole, extra, ...more) {
	const cost = measure.sum(row.costs);
	return el('div', {class: 'figures'}, figure(measure.name, count(cost), percent(cost, whole)),
		extra.map(({title, of}) => figure(title, count(of(row.costs)))), more);
}

function shareCell(value, whole) {
	return value ? barCell(percent(value, whole), value / whole) : '';
}
