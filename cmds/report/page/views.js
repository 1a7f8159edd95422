// SPDX-License-Identifier: GPL-3.0-or-later
// Views of what commands list, too: branches, types of data, objects of data, the roofline, regions.

// -- branches: their kinds, and what their conditions depend on --

// What is not known is not there.
function branchesOf(raw) {
	const unknown = {line: 0, taken: null, best_static: null, by_counter: null, by_history: null, kind: null, loads: []};
	return raw ? {...raw, rows: raw.branches.map(row => ({...unknown, ...row}))} : null;
}

function loadText(load) {
	const where = load.file && load.line ? place(load.file, load.line) : load.address;
	return `${where}: ${[load.operand, load.name].filter(Boolean).join(' ')}`;
}

function targetsText(row) {
	const shown = row.first_targets.map(({name, count: times}) =>
		`${shortName(name, 40)} ${percent(Number(times), Number(row.arrived))}`);
	return `${count(row.targets)} target${row.targets > 1 ? 's' : ''}: ${shown.join(', ')}`;
}

// What its condition depends on, or where it goes; '' if that is not known.
function branchDetail(row) {
	if (row.loads.length)
		return `data loaded at ${row.loads.map(loadText).join(', ')}`;
	if (row.targets)
		return targetsText(row);
	return row.call ? `what is returned by ${row.call}` : '';
}

const branchesView = {
	...SORTED, key: 'branches', title: 'Branches', by: {key: 'missed', up: false},

	isThere(profile) {
		return profile.branches !== null;
	},

	build() {
		this.note = el('span', {class: 'status'});
		this.table = new RowWindow({
			label: 'Branches', onOpen: at => openFunction(this.rows[at].function, this.target(this.rows[at])),
			onSort: key => this.sortBy(key),
		});
		return el('div', {class: 'view fill'}, el('div', {class: 'tools'}, this.note), this.table.element);
	},

	target(row) {
		return row.line ? {line: row.line, file: fileKey(row.file)} : {};
	},

	update() {
		const {branches} = choice.profile;
		const {rows, missed, not_shown: left} = branches;
		this.note.textContent = statusText(`${count(rows.length)} branches`,
			left && `${count(left)} more have ${percent(branches.not_shown_missed, missed)} of the mispredictions`,
			!branches.has_detail && 'kinds need --branch-detail=yes');
		this.showRows(rows, this.columns(branches));
	},

	// Each with what it is sorted by.
	columns({missed, rows, has_taken: hasTaken, has_detail: hasDetail}) {
		const share = (key, title, help, part) => ({
			key, title, help, align: 'number', width: '5.5rem', printed: '3.5rem',
			value: row => part(row) === null ? -1 : part(row) / row.executed,
			cell: at => part(this.rows[at]) === null ? '' : percent(part(this.rows[at]), this.rows[at].executed),
		});
		const text = (key, title, width, printed, help, value) => ({
			key, title, width, printed, help, value,
			cell: at => el('span', {help: value(this.rows[at])}, value(this.rows[at])),
		});
		return [
			{key: 'missed', title: 'Missed', align: 'number', narrow: '5rem', ...widthsOfCosts(rows.map(row => +row.missed)),
				help: 'Mispredictions, and their share of all.', value: row => +row.missed,
				cell: at => sharedCell(+this.rows[at].missed, missed)},
			{key: 'executed', title: 'Executed', align: 'number', kind: 'counts',
				...widthsOfCounts(rows.map(row => +row.executed), null),
				help: 'How often it was executed.', value: row => +row.executed, cell: at => count(+this.rows[at].executed)},
			share('rate', 'Rate', 'Mispredictions, in percent of executions.', row => row.missed),
			...hasTaken ? [share('taken', 'Taken', 'Executions that jumped.', row => row.taken),
				share('static', 'Static', 'What the best fixed choice would mispredict.', row => row.best_static)] : [],
			...hasDetail ? [share('counter', 'Counter', 'What a counter of its own would mispredict.', row => row.by_counter),
				share('history', 'History', 'What its own history would mispredict.', row => row.by_history)] : [],
			text('kind', 'Kind', '13rem', '5rem', 'docs/BRANCHES.md explains kinds.',
				row => [row.kind, row.hard && 'hard'].filter(Boolean).join(', ')),
			{key: 'where', title: 'Where', width: 'minmax(12rem, 1fr)', narrow: 'minmax(8rem, 1fr)', printed: '9rem',
				help: 'The line and the function.',
				value: row => place(choice.profile.files[row.file] || '', row.line), cell: at => this.placeCell(this.rows[at])},
			text('code', 'Instruction', 'minmax(8rem, 16rem)', '7rem', 'The jump, as in the object.',
				row => row.instruction || row.address || ''),
			text('detail', 'Depends on, goes to', 'minmax(10rem, 1fr)', '9rem',
				'Loads that its condition depends on, or its targets.', branchDetail),
		];
	},

	placeCell(row) {
		const {files, functions} = choice.profile;
		const name = shortName(functions.names[row.function], 50);
		return [el('a', {href: functionLink(row.function, this.target(row)), tabindex: '-1'},
			row.line ? place(files[row.file], row.line) : name),
		row.line ? dim(` ${name}`) : null];
	},
};

// -- types of data and members of structs: lines with their heat, and an order that has together what is hot --

const KIND_NAMES = {
	bytes: ['(bytes that pointers to void or char refer to)', 'Buffers, pages, texts: the type says little.'],
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

// One for each event that is there: [{title, help, of(costs)}].
function dataColumns(events) {
	return DATA_COLUMNS.map(([title, names, help]) => {
		const at = names.map(name => events.findIndex(event => event.name === name)).filter(i => i >= 0);
		return {title, help, isThere: at.length > 0, of: costs => sumOf(at, i => costs[i])};
	}).filter(({isThere}) => isThere);
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
		const extra = this.extraColumns(rows);
		const columns = [
			this.costColumn(measure, rows, whole, `${measure.long}, of instructions that refer to it, and their share of all.`),
			{key: 'name', title: 'Type', width: 'minmax(13rem, 1fr)', narrow: 'minmax(8rem, 1fr)', printed: '12rem',
				help: 'Structs, classes, unions, numbers and pointers, as debug information names them.', named: true,
				value: row => row.text, cell: (at, room) => this.nameCell(this.rows[at], room)},
			this.numberColumn('Bytes', 'Its size in bytes.', rows, row => row.size),
			...extra,
		];
		// What is no type comes last.
		const row = this.showRows(rows, this.fitting(columns, extra), get('type'), ({kind}) => kind === 'type' ? 0 : 1);
		this.detail.replaceChildren(...row ? this.describe(row).filter(Boolean) : []);
	},

	nameCell(row, room) {
		return el('span', {class: row.kind === 'type' ? '' : 'dim', help: row.kind in KIND_NAMES ? KIND_NAMES[row.kind][1] :
			row.text}, fittedTo(row.text, room));
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
			...this.costTitles(`${measure.long}: its share of the type\u2019s`)];
		const rows = members.map(member => [
			...member.offset === null ? ['', '', ''] : [member.offset, member.size, Math.floor(member.offset / line)].map(count),
			el(isHot(member) ? 'b' : 'span', {class: 'member'}, nameOf(member)),
			...this.costCells(member.costs, costs),
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
				.map(([member]) => members.find(({number}) => number === member)?.name).filter(Boolean)
				.flatMap((name, i) => [i ? ', ' : '', el('span', {class: 'member'}, name)]);
		};
		return list.length ? tableSection('Functions that refer to it', [
			[measure.name, 'Its share of the type\u2019s', 'number'], ['Function', 'Opens it'],
			...members.length ? [['Members', 'Those that cost it most']] : [],
		], list.map(([index, used]) => [shareCell(cost(used), measure.sum(costs)),
			el('a', {href: functionLink(index)}, shortName(names[index], 50)),
			...members.length ? [memberNames(used)] : []])) : null;
	},
};

// -- objects of data --

function objectsOf(raw) {
	if (!raw)
		return null;
	const typeOf = ({type: name, size, is_array: isArray, members = []}) => name === undefined ? null :
		{name, size, members: members.map(memberRow), text: name + (isArray ? '[]' : '')};
	const userOf = ({function: name, number, ...user}) => ({...dataRow(user), name, function: number});
	const rows = raw.rows.map((row, i) => ({
		...dataRow(row), key: `${row.kind} ${row.name}`, id: i, type: typeOf(row),
		pieces: row.pieces.map(dataRow), users: row.users.map(userOf),
	}));
	raw.rests.forEach((rest, i) => rows.push({...dataRow(rest), id: raw.rows.length + i, key: `${rest.kind} `,
		name: `(${count(rest.objects)} other object${rest.objects > 1 ? 's' : ''})`, pieces: [], users: [], isRest: true}));
	const objects = {events: raw.events, derived: raw.derived, mainEvent: raw.event, totals: raw.totals.map(Number), rows};
	objects.measures = measuresOf(objects);
	return objects;
}

// The name of an object, {sites, size}: who allocated it, innermost first, and "152 B".
function objectParts({kind, name}) {
	const match = /^\[(heap|allocators|mappings)\]$/.test(kind) ? /^(.*?)(?:, (\d[^<]*B.*))?$/.exec(name) : null;
	return match ? {sites: match[1].split(' < '), size: (match[2] || '').replace(/\d+/g, digits => count(+digits))} :
		{sites: [name], size: ''};
}

// In a table: what it is, and who allocated it.
function objectTitle(row) {
	return row.type ? `${row.type.text}, ${row.name}` : row.name;
}

// A site whose function has a shorter name, by the number of the form: "vector<...>::push_back stl_vector.h:1287".
function shortSite(site, form) {
	if (site.startsWith('/'))
		return form < 3 ? site : baseName(site);
	const match = /^(.*?)((?: [^ ]+:\d+)?)$/.exec(site);
	const forms = formsOf(match[1]);
	return forms[Math.min(form, forms.length - 1)] + match[2];
}

// Ever shorter forms of an object's title: all names shorter, then without who called the allocating function.
function objectForms(row) {
	const {sites, size} = objectParts(row);
	const title = (form, n) => [row.type && formsOf(row.type.text)[Math.min(form, 4)],
		sites.slice(0, n).map(site => shortSite(site, form)).join(' < ') + (n < sites.length ? ' < \u2026' : ''), size]
		.filter(Boolean).join(', ');
	const steps = [0, 1, 2, 3, 4, 5, 7].map(form => title(form, sites.length));
	return [...steps, ...Array.from({length: sites.length - 1}, (_, i) => title(7, sites.length - 1 - i))];
}

function kindText(kind) {
	return baseName(kind) || '(unknown)';
}

// The function and line that a site names, "add_client clients.c:18"; its link, or its text if it is not there.
function siteLink(site) {
	const match = /^(.*) ([^ ]+):(\d+)$/.exec(site);
	const index = (state.named.get(match ? match[1] : site) || [-1])[0];
	if (index < 0)
		return el('span', {help: site}, shortSite(site, 4));
	const file = match ? choice.profile.files.findIndex(path => baseName(path) === match[2]) : -1;
	return el('a', {href: functionLink(index, file >= 0 ? {line: match[3], file} : {}), help: site}, shortSite(site, 4));
}

// Bytes of a piece: there are 512 at most.
function pieceSize(pieces) {
	let step = 8;
	while (pieces.length && pieces.at(-1).offset >= step * 512)
		step *= 2;
	return step;
}

const objectsView = {
	...SORTED, key: 'data', title: 'Objects',

	isThere(profile) {
		return profile.objects !== null;
	},

	build() {
		this.tools = el('div', {class: 'tools'});
		this.picture = new Picture({
			label: 'Tree map of objects of data, by what they miss. Arrows go through it, Enter chooses one.',
			onEnter: item => this.choose(item.key),
		});
		this.table = new RowWindow({
			label: 'Objects', onMove: at => this.choose(this.rows[at].key), onSort: key => this.sortBy(key),
		});
		this.detail = el('section', {class: 'detail', 'aria-label': 'The object that is chosen'});
		new ResizeObserver(() => get('view') === this.key && this.draw()).observe(this.picture.element);
		return el('div', {class: 'view fill'}, this.tools, this.picture.tip, el('div', {class: 'sides'},
			el('div', {class: 'halves'}, this.picture.element, this.table.element), this.detail));
	},

	choose(key) {
		go({object: key}, true);
	},

	update() {
		const {rows, measures, events, totals} = choice.profile.objects;
		// A profile has events that no object has, and the other way round.
		const measure = this.measure = measures.get(get('event')) || measures.cycles || measures.first;
		this.tools.replaceChildren(
			measurePick('By', measures.list, measure),
			el('span', {class: 'status'}, statusText('Areas are misses on each object, by where it is')));
		this.extra = dataColumns(events).filter(({title}) => title !== measure.name);
		const extra = this.extraColumns(rows);
		const kind = {key: 'kind', title: 'Where', width: '7rem', printed: '6rem',
			help: 'Heap, stack, an object file\u2019s variables.', value: row => row.kind,
			cell: at => el('span', {help: this.rows[at].kind}, kindText(this.rows[at].kind))};
		const columns = [
			this.costColumn(measure, rows, measure.sum(totals), `${measure.long}, and its share of all.`),
			{key: 'name', title: 'Object', width: 'minmax(20rem, 1fr)', narrow: 'minmax(8rem, 1fr)', printed: '14rem',
				help: 'A variable, or who allocated it, with sizes.', value: objectTitle, named: true,
				cell: (at, room) => el('span', {help: objectTitle(this.rows[at])},
					fittedTo(objectTitle(this.rows[at]), room, () => objectForms(this.rows[at])))},
			kind, ...extra,
		];
		this.chosen = this.showRows(rows, this.fitting(columns, [...extra, kind]), get('object'));
		this.draw();
		this.detail.replaceChildren(...this.chosen ? this.describe(this.chosen).filter(Boolean) : []);
	},

	// Kinds with their objects, each with what it costs, the largest first.
	kinds() {
		const kinds = new Map();
		for (const row of choice.profile.objects.rows) {
			const cost = this.measure.sum(row.costs);
			if (cost > 0 && !kinds.has(row.kind))
				kinds.set(row.kind, {text: kindText(row.kind), cost: 0, inner: []});
			if (cost > 0) {
				kinds.get(row.kind).cost += cost;
				kinds.get(row.kind).inner.push({row, cost});
			}
		}
		const list = [...kinds.values()].sort((a, b) => b.cost - a.cost);
		list.forEach(({inner}, i) => {
			list[i].colour = `c${i % COLOURS}`;
			inner.sort((a, b) => b.cost - a.cost);
		});
		return list;
	},

	draw() {
		const {clientWidth: width, clientHeight: height} = this.picture.element;
		if (width < 50 || height < 50 || !this.measure)
			return;
		const whole = this.measure.sum(choice.profile.objects.totals);
		const [shapes, boxes] = [[], []];
		const drawObject = ({row, cost}, colour, x, y, w, h) => {
			if (w < 1.5 || h < 1.5)
				return;
			const share = percent(cost, whole);
			const item = {id: `o${row.id}`, key: row.key, cost, x, y, width: w, height: h, cx: x + w / 2, cy: y + h / 2};
			boxes.push(item);
			shapes.push(box({...item, index: -1, colour, text: h > 14 ? objectForms(row)[4] : '',
				tip: `${row.name}\n${count(cost)} ${this.measure.name}, ${share}\n${row.kind}`}));
			if (h > 32 && w > 50)
				shapes.push(svg('text', {class: 'frame-title', x: x + 4, y: y + 29}, share));
		};
		squarify(this.kinds(), {x: 0, y: 0, width: width - 4, height: height - 6}, (kind, x, y, w, h) => {
			const title = w > 50 && h > 2 * MAP_TITLE ?
				shorten(`${kind.text}  ${percent(kind.cost, whole)}`, Math.floor((w - 8) / 6.6)) : '';
			squarify(kind.inner, mapFrame(shapes, 0, title, x, y, w, h),
				(inner, ...place) => drawObject(inner, kind.colour, ...place));
		});
		this.picture.active = this.chosen ? {key: this.chosen.key} : null;
		this.picture.showShapes('map', width - 4, height - 6, shapes, boxes);
	},

	describe(row) {
		const {objects} = choice.profile;
		const {sites, size} = objectParts(row);
		const used = usedBytes(objects, row.costs);
		const known = row.type && choice.profile.types?.rows.find(({text}) => text === row.type.name);
		const isAllocated = /^\[(heap|allocators|mappings)\]$/.test(row.kind) && !row.isRest;
		return [
			el('h2', {}, row.type ? row.type.text : sites[0], dim(`  ${[row.type && row.kind[0] !== '[' ? sites[0] : '', size,
				kindText(row.kind)].filter(Boolean).join(', ')}`)),
			isAllocated ? el('ol', {class: 'chain'}, sites.map((site, i) =>
				el('li', {}, i ? 'called by ' : 'allocated by ', siteLink(site)))) : null,
			figuresOf(row, this.measure, this.measure.sum(objects.totals), this.extra,
				used ? figure('used', `${quotient(used.bytes)} of ${used.line} B`, 'of each line') : null),
			...row.type?.members.length ? this.members(row, known) : row.pieces.length ? this.pieces(row) : [],
			this.userTable(row),
		];
	},

	// Which members misses are on; known: the type with all of its members, if the profile has it.
	members({type, costs}, known) {
		const {measure} = this;
		const {members, size} = type;
		const cost = member => members.includes(member) ? measure.sum(member.costs) : 0;
		const most = Math.max(...members.map(cost), 0);
		const isPlaced = member => member.size > 0;
		const cold = (known ? known.members : []).filter(other => other.offset !== null &&
			!members.some(({offset}) => offset === other.offset));
		const placesOf = member => offsetsOf(known?.members.find(({name}) => name === member.name) || member);
		const cells = [...cold, ...members.filter(isPlaced)].flatMap(member => placesOf(member).map(offset => ({
			offset, size: member.size, text: member.name, heat: cost(member) / most || 0,
			tip: `${member.name} at ${offset}: ${count(cost(member))} ${measure.name}, ` +
				percent(cost(member), measure.sum(costs)),
		})));
		return [
			el('figure', {}, el('figcaption', {}, 'Where in it, if one begins with a line', known ? [': ', el('a', {href: linkTo(
				{view: 'types', type: known.key})}, type.name), ' with all that refers to it'] : ''),
			lineStrips('Where in it misses are', cells, size, LINE_BYTES)),
			tableSection('Members that miss', [['Offset', 'Bytes from its beginning', 'number'], ['Size', 'Bytes', 'number'],
				['Member', 'Those that cannot be told apart are in one row'],
				...this.costTitles('Its share of the object\u2019s')],
			members.map(member => [...isPlaced(member) ? [count(member.offset), count(member.size)] : ['', ''], nameOf(member),
				...this.costCells(member.costs, costs)])),
		];
	},

	// Where in it misses are, as lines and as a table of the worst.
	pieces(row) {
		const {measure} = this;
		const whole = measure.sum(row.costs);
		const cost = piece => measure.sum(piece.costs);
		const list = [...row.pieces].sort((a, b) => cost(b) - cost(a)).filter(piece => cost(piece) > 0);
		const step = pieceSize(row.pieces);
		const cells = row.pieces.map(piece => ({
			offset: piece.offset, size: step, text: '',
			heat: list.length ? cost(piece) / cost(list[0]) : 0,
			tip: `at ${piece.offset}: ${count(cost(piece))} ${measure.name}, ${percent(cost(piece), whole)}`,
		}));
		return [
			step <= LINE_BYTES ? el('figure', {}, el('figcaption', {},
				'Where in it: bytes from its beginning, in an array from the element\u2019s'),
			lineStrips('Where in it misses are', cells, row.pieces.at(-1).offset + step, LINE_BYTES)) : null,
			list.length ? tableSection('Offsets that miss', [['Offset', 'Bytes from its beginning', 'number'],
				...this.costTitles('Its share of the object\u2019s')],
			list.slice(0, 12).map(piece => [count(piece.offset), ...this.costCells(piece.costs, row.costs)])) : null,
		];
	},

	userTable({users, costs}) {
		const {measure} = this;
		const cost = user => measure.sum(user.costs);
		const list = users.filter(user => cost(user) > 0).sort((a, b) => cost(b) - cost(a)).slice(0, 12);
		return list.length ? tableSection('Functions that miss on it', [['Function', 'Opens it'],
			...this.costTitles('Its share of the object\u2019s')],
		list.map(user => [user.function === null ? shortName(user.name, 50) :
			el('a', {href: functionLink(user.function)}, shortName(user.name, 50)),
		...this.costCells(user.costs, costs)])) : null;
	},
};

const LINE_BYTES = 64;

// Bytes used of a line that came into D1, {bytes, line}; null if that was not counted (--cacheuse=yes).
function usedBytes({events}, costs) {
	const [lines, lost] = ['Lines', 'SpLoss1'].map(name => events.findIndex(event => event.name === name));
	const line = cachesOf(choice.profile.headers).D1?.line || LINE_BYTES;
	return lines >= 0 && lost >= 0 && costs[lines] > 0 ? {line, bytes: line - costs[lost] / costs[lines]} : null;
}

// -- the roofline: floating-point operations of functions against the bytes that they need, from each place, below what
// one core of the machine does at most --

const ROOFLINE = {left: 60, right: 24, top: 16, bottom: 44, labels: 8};
const PLACE_KINDS = {L1: 'exec', L2: 'results', L3: 'l1', LL: 'l1', L4: 'tlb', memory: 'll'};

// The first function is the program.  A row has for each place its bytes, and operations a byte.
function rooflineOf(raw) {
	if (!raw)
		return null;
	const keys = raw.places.map(({name}) => name === 'LL' ? 'l3' : name.toLowerCase());
	const [total, ...rows] = raw.functions.map(row => {
		const bytes = keys.map(key => row[`bytes_${key}`]);
		return {...row, bytes, intensity: bytes.map(of => of ? row.operations / of : 0)};
	});
	return {...raw, rows, total, hasCycles: total.per_cycle !== null};
}

// 2 to a whole number: "1/8", "4".
function powerText(log) {
	return log < 0 ? `1/${count(2 ** -log)}` : count(2 ** log);
}

const rooflineView = {
	...SORTED, key: 'roofline', title: 'Roofline',

	isThere(profile) {
		return profile.roofline !== null;
	},

	build() {
		this.note = el('span', {class: 'status'});
		this.picture = new Picture({
			label: 'Roofline. Arrows go through functions, Enter opens one.',
			onEnter: item => openFunction(item.index), onOpen: item => openFunction(item.index),
		});
		this.table = new RowWindow({
			label: 'Operations and bytes', onOpen: at => openFunction(this.rows[at].function), onSort: key => this.sortBy(key),
			onMove: at => this.picture.activate(this.picture.boxes.find(({key}) => key === this.rows[at].function) || null),
		});
		new ResizeObserver(() => get('view') === this.key && this.draw()).observe(this.picture.element);
		return el('div', {class: 'view fill'}, el('div', {class: 'tools'}, this.note), this.picture.tip,
			el('div', {class: 'halves'}, this.picture.element, this.table.element));
	},

	update() {
		const {roofline} = choice.profile;
		const {machine, total, not_shown: left} = roofline;
		this.note.textContent = statusText(`${count(total.operations)} floating-point operations, of functions alone`,
			roofline.hasCycles ? 'as many a cycle as the simulated core does' :
				machine ? 'at the most that roofs leave' : 'intensity only: the profile names no machine that has roofs',
			machine && `roofs of one core of ${machine}`,
			roofline.has_prefetches && 'lines that were prefetched are in no column',
			left && `${count(left)} more functions have fewer`);
		this.showRows(roofline.rows, this.columns(roofline), null);
		this.draw();
	},

	columns({rows, total, places, hasCycles, machine}) {
		const {names} = choice.profile.functions;
		const number = (title, help, value, text) =>
			({...this.numberColumn(title, help, rows, value, text), printed: '3rem'});
		const from = name => name === 'L1' ? 'that instructions read and write' : `from ${name}, in lines`;
		return [
			{key: 'cost', title: 'Operations', align: 'number', narrow: '5rem',
				...widthsOfCosts(rows.map(row => row.operations)),
				help: 'Floating-point operations of all precisions, and their share of all.', value: row => row.operations,
				cell: at => sharedCell(this.rows[at].operations, total.operations)},
			...places.map(({name}, i) => number(`op/B ${name}`, `Operations for each byte ${from(name)}.`,
				row => row.intensity[i], quotient)),
			...places.map(({name}, i) => number(`B ${name}`, `Bytes ${from(name)}.`, row => row.bytes[i])),
			...hasCycles ? [number('op/cycle', 'Operations in a cycle of the simulated core.', row => row.per_cycle || 0,
				quotient)] : [],
			...machine ? [number('At most', 'Operations in a cycle that roofs leave.', row => row.attainable || 0, quotient),
			{key: 'bound', title: 'By', width: '6.5rem', printed: '4rem',
				help: 'What bounds it: computing, or bytes of a place.', value: row => row.bound || '',
				cell: at => this.rows[at].bound || ''}] : [],
			{key: 'name', title: 'Function', width: 'minmax(10rem, 1fr)', narrow: 'minmax(8rem, 1fr)', printed: '10rem',
				help: 'Opens it.', value: row => names[row.function], cell: at => el('a', {
					href: functionLink(this.rows[at].function), tabindex: '-1'}, shortName(names[this.rows[at].function], 60))},
		];
	},

	// The height of a function; 0 if nothing says it.
	heightOf(row) {
		return row.per_cycle || row.attainable || 0;
	},

	// What is shown, in powers of two: {left, right, bottom, top}.
	axes({rows, places, peak}) {
		const xs = rows.flatMap(row => row.intensity.filter(value => value > 0).map(Math.log2));
		const ys = [...rows.map(row => this.heightOf(row)), ...peak].filter(value => value > 0).map(Math.log2);
		const most = Math.max(...peak);
		// Where a place's roof meets the most operations.
		xs.push(...places.filter(({roof}) => roof > 0 && most > 0).map(({roof}) => Math.log2(most / roof)));
		const [left, right] = xs.length ? extentOf(xs) : [-2, 2];
		const [bottom, top] = ys.length ? extentOf(ys) : [-2, 2];
		return {left: Math.floor(left - 0.5), right: Math.ceil(right + 1), bottom: Math.floor(bottom - 0.5),
			top: Math.ceil(top + 0.3)};
	},

	draw() {
		const {roofline} = choice.profile;
		const {clientWidth: width, clientHeight: height} = this.picture.element;
		if (width < 50 || height < 50)
			return;
		const axes = this.axes(roofline);
		const {left, right, top, bottom} = ROOFLINE;
		const x = log => left + (log - axes.left) / (axes.right - axes.left) * (width - 8 - left - right);
		const y = log => height - 8 - bottom - (log - axes.bottom) / (axes.top - axes.bottom) * (height - 8 - top - bottom);
		const boxes = [];
		const shapes = [...this.drawAxes(axes, x, y, width - 8, height - 8), ...this.drawRoofs(roofline, axes, x, y),
			...roofline.rows.map((row, i) => this.drawFunction(row, i, axes, x, y, boxes))];
		this.picture.showShapes('roofline', width - 8, height - 8, shapes, boxes);
	},

	drawAxes(axes, x, y, width, height) {
		const shapes = [];
		const line = (x1, y1, x2, y2) => shapes.push(svg('line', {class: 'grid', x1, y1, x2, y2}));
		const text = (content, at, anchor) => shapes.push(svg('text', {...at, 'text-anchor': anchor}, content));
		const steps = range => Math.max(1, Math.ceil(range / 12));
		for (let log = axes.left; log <= axes.right; log += steps(axes.right - axes.left)) {
			line(x(log), y(axes.bottom), x(log), y(axes.top));
			text(powerText(log), {x: x(log), y: y(axes.bottom) + 14}, 'middle');
		}
		for (let log = axes.bottom; log <= axes.top; log += steps(axes.top - axes.bottom)) {
			line(x(axes.left), y(log), x(axes.right), y(log));
			text(powerText(log), {x: x(axes.left) - 6, y: y(log) + 4}, 'end');
		}
		text('operations a byte', {x: width / 2, y: height - 6}, 'middle');
		text('operations a cycle', {transform: `translate(14 ${height / 2}) rotate(-90)`}, 'middle');
		return shapes;
	},

	// Slopes of bytes a cycle, up to the most operations; places of one roof have one line.
	drawRoofs({places, peak}, axes, x, y) {
		const shapes = [];
		const most = Math.max(...peak);
		const top = most > 0 ? Math.log2(most) : axes.top;
		let start = axes.right;
		const roofs = new Map();
		places.filter(({roof}) => roof > 0).forEach(({name, roof}) => roofs.set(roof, [...roofs.get(roof) || [], name]));
		const line = (kind, x1, y1, x2, y2) => shapes.push(svg('line',
			{class: `roof ${kind}`, x1: x(x1), y1: y(y1), x2: x(x2), y2: y(y2)}));
		for (const [roof, names] of roofs) {
			const log = Math.log2(roof);
			const [from, to] = [Math.max(axes.left, axes.bottom - log), Math.min(axes.right, top - log)];
			start = Math.min(start, Math.max(axes.left, top - log));
			if (from >= to)
				continue;
			line(PLACE_KINDS[names.at(-1)], from, from + log, to, to + log);
			// Along the line, above it.
			const angle = Math.atan2(y(to + log) - y(from + log), x(to) - x(from)) * 180 / Math.PI;
			shapes.push(svg('text', {x: 8, y: -5,
				transform: `translate(${x(from)} ${y(from + log)}) rotate(${angle.toFixed(2)})`},
			`${names.join(', ')} ${quotient(roof)} B/cycle`));
		}
		[...new Set(peak.slice(0, 2))].filter(value => value > 0).forEach(value => {
			const title = peak[0] === peak[1] ? '' : value === peak[0] ? ', single precision' : ', double';
			const log = Math.log2(value);
			line('', value === most ? start : axes.left, log, axes.right, log);
			shapes.push(svg('text', {x: x(axes.right) - 4, y: y(log) - 5, 'text-anchor': 'end'},
				`${quotient(value)} operations a cycle${title}`));
		});
		return shapes;
	},

	// A point for each place, and the name.
	drawFunction(row, number, axes, x, y, boxes) {
		const {places, total} = choice.profile.roofline;
		const name = choice.profile.functions.names[row.function];
		const at = y(this.heightOf(row) > 0 ? Math.log2(this.heightOf(row)) : (axes.bottom + axes.top) / 2);
		const points = places.map((place, i) => ({place, value: row.intensity[i]})).filter(({value}) => value > 0)
			.map(({place, value}) => ({place, value, x: x(Math.log2(value))}));
		if (!points.length)
			return null;
		const xs = points.map(point => point.x);
		const item = {id: `r${row.function}`, key: row.function, index: row.function, cost: row.operations,
			cx: sumOf(xs) / xs.length, cy: at};
		boxes.push(item);
		const tip = [name, [`${count(row.operations)} operations, ${percent(row.operations, total.operations)}`,
			row.per_cycle && `${quotient(row.per_cycle)} a cycle`,
			row.attainable && `at most ${quotient(row.attainable)}`].filter(Boolean).join(', '),
		points.map(({place, value}) => `${quotient(value)} a byte of ${place.name}`).join(', '),
		row.bound && `bound by ${row.bound === 'operations' ? '' : 'bytes of '}${row.bound}`].filter(Boolean).join('\n');
		return svg('g', {id: item.id, class: 'box', help: tip, role: 'img', 'aria-label': tip.replaceAll('\n', ', ')},
			svg('line', {class: 'link', x1: Math.min(...xs), x2: Math.max(...xs), y1: at, y2: at}),
			points.map(point => svg('circle',
				{class: PLACE_KINDS[point.place.name], cx: point.x.toFixed(1), cy: at.toFixed(1), r: 5})),
			number < ROOFLINE.labels ? svg('text', {x: Math.max(...xs) + 8, y: at + 4}, shortName(name, 30)) : null);
	},
};

function extentOf(values) {
	return [Math.min(...values), Math.max(...values)];
}

// -- regions that the program named: what each cost with all that was called in it, of all parts --

function regionsOf(raw) {
	const sideOf = side => side && {...side, costs: side.costs.map(Number)};
	return raw ? raw.map(({older = null, ...row}) => ({...sideOf(row), key: row.name, older: sideOf(older)})) : null;
}

const STATE_ROOM = 75; // pixels of " (not over)"

const regionsView = {
	...SORTED, key: 'regions', title: 'Regions',

	isThere(profile) {
		return profile.regions !== null;
	},

	build() {
		this.note = el('span', {class: 'status'});
		this.table = new RowWindow({label: 'Regions', onSort: key => this.sortBy(key)});
		return el('div', {class: 'view fill'}, el('div', {class: 'tools'}, this.note), this.table.element);
	},

	update() {
		const {regions, totals} = choice.profile;
		const {measure} = choice;
		const older = olderProfile();
		const changed = older ? regions.filter(row => this.changeOf(row)).length : 0;
		const rows = older ? regions : regions.filter(({gone}) => !gone);
		const regionCount = `${count(rows.length)} region${rows.length === 1 ? '' : 's'}`;
		this.note.textContent = [`${regionCount}, with all that was called in them`, choice.part && 'of all parts',
			older && `${count(changed)} changed since ${older.title}`].filter(Boolean).join('  \u00b7  ');
		const instructions = choice.measures.get('Ir');
		this.showRows(rows, [
			this.costColumn(measure, rows, measure.sum(totals),
				`${measure.long}, of the region with all that was called in it, and their share of all.`),
			...older ? this.changeColumns(rows, older) : [],
			...instructions && instructions !== measure ? [this.numberColumn('Instructions', 'Instructions executed in it.',
				rows, row => instructions.sum(row.costs))] : [],
			this.timesColumn('times', 'Times', 'How often it was entered.', rows),
			this.timesColumn('threads', 'Threads', 'How many threads entered it.', rows),
			{key: 'name', title: 'Region', width: 'minmax(13rem, 1fr)', narrow: 'minmax(8rem, 1fr)', printed: '12rem',
				help: 'As the program named it.', named: true, value: row => row.name,
				cell: (at, room) => this.nameCell(this.rows[at], room)},
		], null);
	},

	// New minus old, of one measure.
	changeOf({costs, older}) {
		return choice.measure.sum(costs) - (older ? choice.measure.sum(older.costs) : 0);
	},

	changeColumns(rows, older) {
		const relative = row => row.older && choice.measure.sum(row.older.costs) > 0 ?
			this.changeOf(row) / choice.measure.sum(row.older.costs) : 0;
		const text = row => relative(row) ? `${relative(row) > 0 ? '+' : ''}${percent(relative(row), 1)}` : '';
		return [
			{...changeColumnOf(choice.measure, `The change since ${older.title}: new minus old. Sorted by size.`,
				at => this.changeOf(this.rows[at])), value: row => Math.abs(this.changeOf(row)), printed: '4rem'},
			{key: 'relative', title: '\u0394 %', align: 'number',
				help: `The change in percent of what it cost in ${older.title}.`,
				...widthsFor(['\u0394 %', ...rows.map(text)], {least: 4.5}), value: relative,
				cell: at => el('span', {class: relative(this.rows[at]) > 0 ? 'worse' : 'better'}, text(this.rows[at]))},
		];
	},

	timesColumn(key, title, help, rows) {
		const before = row => olderProfile() && row.older && row.older[key] !== row[key] ? row.older[key] : null;
		const text = row => before(row) === null ? count(row[key]) : `${count(before(row))} to ${count(row[key])}`;
		return {
			key, title, help, align: 'number', value: row => row[key], cell: at => text(this.rows[at]),
			...widthsFor([title, ...rows.map(text)], {least: 4.5}),
		};
	},

	nameCell({name, open, gone, older}, room) {
		const state = gone ? 'gone' : open ? 'not over' : olderProfile() && !older ? 'new' : '';
		return [el('span', {help: name}, fittedTo(name, {...room, pixels: room.pixels - (state ? STATE_ROOM : 0)})),
			state ? dim(` (${state})`) : null];
	},
};
