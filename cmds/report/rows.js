// SPDX-License-Identifier: GPL-3.0-or-later
// A table of any number of rows, of which only those in sight are in the page.
//
// A column is {key, title, help, cell(row) -> node or text, width, align, sortable, narrow}; narrow
// ones stay on a phone.  Rows are numbers 0 .. length - 1; who uses the table says what they mean.

const ROWS_BEYOND = 12;
const PRINTED_ROWS = 400;
let tablesMade = 0;

class RowWindow {
	constructor({label, rowHeight = 26, onOpen, onSort, rowClass, overlay, header = true, onMove}) {
		Object.assign(this, {rowHeight, onOpen, onSort, rowClass, overlay, onMove});
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
		new ResizeObserver(() => this.draw()).observe(this.element);
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
		this.element.style.setProperty('--row', `${this.rowHeight}px`);
		if (this.head)
			this.head.replaceChildren(...columns.map(column => this.headCell(column, sort)));
		this.draw();
	}

	headCell(column, sort) {
		const sorted = sort && sort.key === column.key;
		const classes = `cell ${column.align || ''} ${column.narrow ? '' : 'wide'}`;
		const mark = sorted ? (sort.up ? ' \u25b2' : ' \u25bc') : '';
		return el('div', {
			class: classes, role: 'columnheader',
			'aria-sort': sorted ? (sort.up ? 'ascending' : 'descending') : null,
		}, el('button', {
			type: 'button', class: 'sort', 'data-help': column.help,
			onclick: event => {
				event.stopPropagation();
				if (this.onSort && column.sortable !== false)
					this.onSort(column.key);
			},
		}, column.title + mark));
	}

	// Draws the rows in sight; all: the first ones, for paper.
	draw(all = false) {
		const headHeight = this.head ? this.head.offsetHeight : 0;
		const top = this.element.scrollTop;
		const sight = Math.ceil((this.element.clientHeight || 600) / this.rowHeight);
		const first = all ? 0 : Math.max(0, Math.floor(top / this.rowHeight) - ROWS_BEYOND);
		const last = Math.min(this.length, all ? PRINTED_ROWS : first + sight + 2 * ROWS_BEYOND);
		this.headHeight = headHeight;
		// On paper there is no scrolling: no more height than rows.
		this.body.style.setProperty('height', `${(all ? last : this.length) * this.rowHeight}px`);
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
			vars: {'--top': `${row * this.rowHeight}px`},
		}, this.columns.map(column => el('div', {
			class: `cell ${column.align || ''} ${column.narrow ? '' : 'wide'} ${column.kind || ''}`,
			role: 'gridcell',
		}, column.cell(row))));
	}

	// Makes a row the active one and scrolls to it.
	move(row, middle = false) {
		if (!this.length)
			return;
		this.active = Math.max(0, Math.min(this.length - 1, row));
		const top = this.active * this.rowHeight;
		const height = this.element.clientHeight - (this.headHeight || 0);
		if (middle)
			this.element.scrollTop = top - height / 2;
		else if (top < this.element.scrollTop)
			this.element.scrollTop = top;
		else if (top + this.rowHeight > this.element.scrollTop + height)
			this.element.scrollTop = top + this.rowHeight - height;
		this.draw();
		this.element.setAttribute('aria-activedescendant', `${this.id}-${this.active}`);
		if (this.onMove)
			this.onMove(this.active);
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

// A number with a bar behind it, its share of a whole.
function barCell(text, share, kind = '') {
	return el('span', {class: `bar ${kind}`, vars: {'--share': String(Math.min(1, Math.abs(share) || 0))}}, text);
}

// A count, and its short form for where there is little room.
function roomy(value, signed = false) {
	return [el('span', {class: 'full'}, signed ? change(value) : count(value)),
		el('span', {class: 'brief'}, (signed && value > 0 ? '+' : '') + shortCount(value))];
}
