// SPDX-License-Identifier: GPL-3.0-or-later
// Types of data and members of structs with their costs; of the one that is chosen, its lines with their heat, and an
// order that would have together what is hot.

const KIND_NAMES = {
	bytes: ['(bytes behind pointers to void or char)', 'Buffers, pages, texts: the type says nothing of what is there.'],
	stack: ['(stack without variables)', 'Saved registers, return addresses, values for which there was no register.'],
	constants: ['(constants and linkage)', 'Numbers and jump tables of the compiler, the table of imported functions.'],
	unresolved: ['(not resolved)', 'The code does not say what these instructions refer to.'],
	no_debug_information: ['(code without debug information)', 'Compile with -g, or install debug information.'],
	no_data: ['(no reference to data)', 'What instructions that neither read nor write cost otherwise.'],
};

// What data is judged by besides the event that is chosen: titles, events, what they are.
const DATA_COLUMNS = [
	['D1m', ['D1mr', 'D1mw'], 'Misses of data in the first level'],
	['L2m', ['L2dr', 'L2dw'], 'Misses of data in L2'],
	['L3m', ['L3dr', 'L3dw'], 'Misses of data in L3'],
	['LLm', ['DLmr', 'DLmw'], 'Misses of data in the last level'],
	['Reads', ['Dr'], 'Instructions that read it'],
	['Writes', ['Dw'], 'Instructions that write it'],
];

// Those of events that are there: [{title, help, of(costs)}].
function dataColumns(events) {
	return DATA_COLUMNS.map(([title, names, help]) => {
		const at = names.map(name => events.findIndex(event => event.name === name)).filter(i => i >= 0);
		return {title, help, isThere: at.length > 0, of: costs => sumOf(at, i => costs[i])};
	}).filter(({isThere}) => isThere);
}

// Of a view whose table is sorted by a column's value(row).
const SORTED = {
	by: {key: 'cost', up: false},

	sortBy(key) {
		this.by = {key, up: this.by.key === key && !this.by.up};
		this.update();
	},

	// Shows rows, those of a lower group before all others, and the one of that key, or the first, as chosen: returns it.
	showRows(rows, columns, chosen, group = () => 0) {
		const {value} = columns.find(({key}) => key === this.by.key) || columns[0];
		const sign = this.by.up ? 1 : -1;
		this.rows = [...rows].sort((a, b) => group(a) - group(b) ||
			(value(a) === value(b) ? 0 : value(a) < value(b) ? -sign : sign));
		this.table.active = chosen === null ? -1 : Math.max(0, this.rows.findIndex(({key}) => key === chosen));
		this.table.set(columns, this.rows.length, this.by);
		return this.rows[this.table.active];
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
};

// What is chosen here is so everywhere.
function measurePick(label, list, measure) {
	return select(label, list.map(({name, long}) => [name, `${name} \u2013 ${cutMiddle(long, 40)}`]), measure.name,
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

function countOrNothing(value) {
	return value ? count(value) : '';
}

// A row of a view of data, with costs that are numbers; and a member of one.
const dataRow = ({counts, costs = counts, ...row}) => ({...row, costs: costs.map(Number)});
const memberRow = ({member: name, ...row}) => ({offset: null, size: null, ...dataRow(row), name});

function typesOf(raw) {
	if (!raw)
		return null;
	const empty = {size: 0, layout: null, members: [], uses: []};
	const seen = new Map();
	const rows = raw.rows.map(({type: name, members = [], uses = [], ...row}) => {
		const same = seen.get(name) || 0;
		seen.set(name, same + 1);
		return {...empty, ...dataRow(row), name, members: members.map(memberRow), uses: uses.map(dataRow),
			key: same ? `${name} ${same + 1}` : name, text: row.kind === 'type' ? name : KIND_NAMES[row.kind][0]};
	});
	if (raw.left)
		rows.push({...empty, costs: raw.rest.map(Number), kind: 'rest', key: 'rest',
			text: `(${count(raw.left)} other type${raw.left > 1 ? 's' : ''})`});
	return {line: raw.line, rows};
}

// "2 lines of 64 B"
function linesText(size, line) {
	const lines = Math.ceil(size / line);
	return `${count(lines)} line${lines > 1 ? 's' : ''} of ${line} B`;
}

function nameOf({name}) {
	return name || '(anonymous)';
}

const MOST_COPIES = 512;

// Where a member is in a struct: in an array of structs, in each element, of as many as can be drawn; of one without a
// bound, in the first one.
function offsetsOf({offset, stride, copies}) {
	const length = offset === null ? 0 : Math.min(copies || 1, MOST_COPIES);
	return Array.from({length}, (_, i) => offset + i * (stride || 0));
}

// Names of members that are hot, in their order.
function hotNames({members}) {
	return members.filter(({hot}) => hot).map(nameOf);
}

// Members as they are proposed.
function newOrder({members}) {
	return [...members].sort((a, b) => a.new_offset - b.new_offset);
}

// The names of an order as far as members are hot, as the rest is drawn.
function firstNames(order) {
	const n = order.map(({hot}) => hot).lastIndexOf(true) + 1;
	return order.slice(0, n).map(nameOf).join(', ') + (n < order.length ? ', \u2026' : '');
}

// What an order is better by: "1.25 lines, 44.4 % fewer; 168 B"
function orderText({lines, better_lines: better, better_size: size}) {
	const fewer = better < lines ? `, ${percent(1 - better / lines, 1)} fewer` : '';
	return `${better.toFixed(2)} lines${fewer}; ${count(size)} B`;
}

const STRIP = {byte: 9, height: 26, left: 46, most: 10};

// Lines of data as strips of their bytes: cells are [{offset, size, text, tip, heat}], heat undefined for holes.  Of
// many lines, those that are hot.
function lineStrips(label, cells, size, line) {
	const all = Array.from({length: Math.ceil(size / line)}, (_, i) => i);
	const isHot = new Set(cells.flatMap(({offset, size: n, heat}) => heat > 0 ?
		[Math.floor(offset / line), Math.floor((offset + Math.max(n, 1) - 1) / line)] : []));
	const shown = (all.length > STRIP.most ? all.filter(i => isHot.has(i)) : all).slice(0, STRIP.most);
	const {byte, height, left} = STRIP;
	const shapes = shown.flatMap((number, row) => {
		const [first, y] = [number * line, row * height];
		const part = (begin, end, attributes, ...more) => svg('rect', {x: left + (begin - first) * byte, y: y + 1,
			width: (end - begin) * byte, height: height - 4, ...attributes}, ...more);
		const inLine = cells.filter(({offset, size: n}) => n > 0 && offset < first + line && offset + n > first);
		return [svg('text', {x: left - 6, y: y + 16, class: 'offset'}, String(first)),
			part(first, Math.min(first + line, size), {class: 'field'}),
			...inLine.flatMap(({offset, size: n, text, tip, heat}) => {
				const [begin, end] = [Math.max(offset, first), Math.min(offset + n, first + line)];
				const room = Math.floor(((end - begin) * byte - 4) / 6.6);
				return [part(begin, end, {class: heat === undefined ? 'field hole' : 'field', help: tip,
					vars: {'--heat': String(heat || 0)}}),
				room > 1 && text ? svg('text', {x: left + (begin - first) * byte + 3, y: y + 16}, shorten(text, room)) : null];
			})];
	});
	const rest = all.length - shown.length;
	return [svg('svg', {class: 'strips', role: 'img', 'aria-label': label, width: left + line * byte + 2,
		height: shown.length * height}, shapes.filter(Boolean)),
	rest ? el('p', {class: 'dim'}, `${count(rest)} other lines are not drawn.`) : null];
}

const typesView = {
	...SORTED, key: 'types', title: 'Types',

	isThere(profile) {
		return profile.types !== null;
	},

	build() {
		this.tools = el('div', {class: 'tools'});
		this.table = new RowWindow({
			label: 'Types', onMove: at => go({type: this.rows[at].key}, true), onSort: key => this.sortBy(key),
		});
		this.detail = el('section', {class: 'detail', 'aria-label': 'The type that is chosen'});
		return el('div', {class: 'view fill'}, this.tools,
			el('div', {class: 'sides'}, this.table.element, this.detail));
	},

	update() {
		const {types: {rows}, events, totals} = choice.profile;
		const {measures} = choice;
		// What is waited for data; cycles besides are not the data's.
		const measure = this.measure = get('event') ? choice.measure : measures.stack && measures.get(EVENT_NAMES.CYMEM) ||
			measures.first;
		const whole = measure.sum(totals);
		this.extra = dataColumns(events).filter(({title}) => title !== measure.name);
		const known = rows.filter(({kind}) => kind === 'type' || kind === 'rest');
		const share = percent(sumOf(known, row => measure.sum(row.costs)), whole);
		this.tools.replaceChildren(measurePick('By', measures.list, measure), el('span', {class: 'status'},
			statusText(`${share} of ${measure.name} is of instructions that refer to data of a type`,
				'rows add up to all of it')));
		const columns = [
			this.costColumn(measure, rows, whole, `${measure.long}, of instructions that refer to it, and their share of all.`),
			{key: 'name', title: 'Type', width: 'minmax(13rem, 1fr)', narrow: 'minmax(8rem, 1fr)', printed: '12rem',
				help: 'Structs, classes, unions, numbers and pointers, as debug information names them.',
				value: row => row.text, cell: at => this.nameCell(this.rows[at])},
			this.numberColumn('Bytes', 'Its size in bytes.', rows, row => row.size),
			...this.extra.map(({title, help, of}) => this.numberColumn(title, `${help}.`, rows, row => of(row.costs))),
		];
		// What is no type comes last.
		const row = this.showRows(rows, columns, get('type'), ({kind}) => kind === 'type' ? 0 : 1);
		this.detail.replaceChildren(...row ? this.describe(row).filter(Boolean) : []);
	},

	nameCell(row) {
		return el('span', {class: row.kind === 'type' ? '' : 'dim', help: row.kind in KIND_NAMES ? KIND_NAMES[row.kind][1] :
			row.text}, shortName(row.text, 60));
	},

	describe(row) {
		const {types, totals} = choice.profile;
		const {measure} = this;
		const lines = row.members.length ? `, ${linesText(row.size, types.line)}` : '';
		return [
			el('h2', {}, row.text, row.size ? dim(`  ${count(row.size)} B${lines}`) : null),
			row.kind in KIND_NAMES ? el('p', {class: 'dim'}, KIND_NAMES[row.kind][1]) : null,
			figuresOf(row, measure, measure.sum(totals), this.extra),
			...row.layout ? this.layout(row) : [], this.memberTable(row), this.useTable(row),
		];
	},

	// Its lines, as they are and as they could be.
	layout({layout, members, size, costs}) {
		const {measure} = this;
		const {line} = choice.profile.types;
		const cost = member => measure.sum(member.costs);
		const most = Math.max(...members.map(cost), 0);
		const cells = place => members.flatMap(member => offsetsOf(member).map(offset => ({
			offset: place(offset), size: member.size, text: member.name, heat: most > 0 ? cost(member) / most : 0,
			tip: `${member.name}: ${member.size} B at ${place(offset)}\n${count(cost(member))} ${measure.name}, ` +
				`${percent(cost(member), measure.sum(costs))} of the type\u2019s`,
		})));
		const moved = offset => {
			const outer = layout.members.find(other => offset >= other.offset && offset < other.offset + other.size);
			return outer ? offset + outer.new_offset - outer.offset : offset;
		};
		const hole = (offset, end) => ({offset, size: end - offset, text: '', tip: `hole of ${end - offset} B at ${offset}`});
		const order = newOrder(layout);
		const newHoles = order.map((member, i) => hole(member.new_offset + member.size,
			i + 1 < order.length ? order[i + 1].new_offset : layout.better_size));
		const holes = layout.members.map(member =>
			hole(member.offset + member.size, member.offset + member.size + member.hole));
		const strips = (title, list, bytesOf) => el('figure', {}, el('figcaption', {}, title),
			lineStrips(title, list.filter(cell => cell.size > 0), bytesOf, line));
		return [
			el('p', {}, el('b', {}, 'Hot: '), `${hotNames(layout).join(', ')}. ` +
				`They touch ${layout.lines.toFixed(2)} lines on average` +
				(layout.holes ? `; ${count(layout.holes)} B are holes.` : '.')),
			strips('As it is, if it begins with a line', [...cells(offset => offset), ...holes], size),
			...layout.better ? [el('p', {}, el('b', {}, 'Better: '), `${firstNames(order)}: ${orderText(layout)}.`),
				strips('Proposed', [...cells(moved), ...newHoles], layout.better_size)] : [],
			el('p', {class: 'legend'}, el('span', {class: 'scale'}),
				`share of the type\u2019s ${measure.name}; dashed: holes. ` +
				'What begins as another struct does, or is read by other programs, has its order for a reason.'),
		];
	},

	memberTable({members, layout, costs, cold}) {
		const {measure} = this;
		const {line} = choice.profile.types;
		if (!members.length)
			return null;
		const isHot = ({offset}) => layout && offset !== null && layout.members.some(member => member.hot &&
			offset >= member.offset && (offset < member.offset + member.size || !member.size));
		const titles = [['Offset', 'Bytes from its beginning', 'number'], ['Size', 'Bytes', 'number'],
			['Line', `Number of the line of ${line} B, if the struct begins with one`, 'number'],
			['Member', 'Hot ones are bold: together they have 95 % of all references'],
			[measure.name, `${measure.long}: its share of the type\u2019s`, 'number'],
			...this.extra.map(({title, help}) => [title, help, 'number'])];
		const rows = members.map(member => [
			...member.offset === null ? ['', '', ''] : [member.offset, member.size, Math.floor(member.offset / line)].map(count),
			isHot(member) ? el('b', {}, nameOf(member)) : nameOf(member),
			shareCell(measure.sum(member.costs), measure.sum(costs)),
			...this.extra.map(({of}) => countOrNothing(of(member.costs))),
		]);
		return tableSection('Members', titles, rows, cold ? el('p', {class: 'dim'},
			`${count(cold)} more members without costs are not listed.`) : null);
	},

	// Functions that refer to it, with the members that they do.
	useTable({uses, members, costs}) {
		const {measure} = this;
		const {names} = choice.profile.functions;
		const cost = list => sumOf(list, use => measure.sum(use.costs));
		const of = new Map();
		uses.forEach(use => of.set(use.function, [...of.get(use.function) || [], use]));
		const list = [...of].sort((a, b) => cost(b[1]) - cost(a[1])).slice(0, 12);
		const memberNames = used => {
			const sums = new Map();
			used.forEach(use => sums.set(use.member, (sums.get(use.member) || 0) + cost([use])));
			return [...sums].sort((a, b) => b[1] - a[1]).slice(0, 5)
				.map(([member]) => members.find(({number}) => number === member)?.name).filter(Boolean).join(', ');
		};
		return list.length ? tableSection('Functions that refer to it', [
			[measure.name, 'Its share of the type\u2019s', 'number'], ['Function', 'Opens it'],
			...members.length ? [['Members', 'Those that cost it most']] : [],
		], list.map(([index, used]) => [shareCell(cost(used), measure.sum(costs)),
			el('a', {href: functionLink(index)}, shortName(names[index], 50)),
			...members.length ? [memberNames(used)] : []])) : null;
	},
};
