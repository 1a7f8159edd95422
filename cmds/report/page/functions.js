// SPDX-License-Identifier: GPL-3.0-or-later
// The table of functions: searched, sorted, grouped.

const GROUPINGS = [
	['', 'no groups'], ['object', 'object'], ['file', 'source file'], ['class', 'class or namespace'],
	['cycle', 'cycle of recursion'],
];

function groupings() {
	return isPythonProgram() ? [...GROUPINGS, ['python', 'kind of Python code']] : GROUPINGS;
}

const functionsView = {
	key: 'functions', title: 'Functions',
	opened: new Set(),
	items: [],

	build() {
		this.search = el('input', {
			type: 'search', id: 'search', placeholder: 'Search functions, files, objects  ( / )',
			'aria-label': 'Search functions, files and objects', autocomplete: 'off', spellcheck: 'false',
			oninput: () => go({q: this.search.value}, true), onfocus: () => this.haystack(),
			onkeydown: event => this.searchKey(event),
		});
		this.status = el('span', {class: 'status', role: 'status'});
		this.grouping = el('span', {class: 'group'});
		this.table = new RowWindow({
			label: 'Functions', onOpen: row => this.open(row),
			onSort: key => this.sortBy(key),
			rowClass: row => this.items[row].group ? 'heading' : '',
		});
		new ResizeObserver(() => get('view') === 'functions' && this.table.element.clientWidth !== this.width &&
			this.table.set(this.columns(), this.items.length, this.sort())).observe(this.table.element);
		return el('div', {class: 'view fill'},
			el('div', {class: 'tools'}, this.search, this.grouping, this.status), this.table.element);
	},

	searchKey(event) {
		if (event.key !== 'Escape' && event.key !== 'Enter' && event.key !== 'ArrowDown')
			return;
		if (event.key === 'Escape')
			go({q: ''}, true);
		this.table.element.focus();
		this.table.move(Math.max(0, this.table.active));
		if (event.key === 'Enter')
			this.open(this.table.active);
		event.preventDefault();
	},

	sortBy(key) {
		const same = this.sort().key === key;
		const up = same ? !this.sort().up : key === 'name' || key === 'where';
		go({sort: key, up: up ? '1' : ''}, true);
	},

	sort() {
		return {key: get('sort') || (choice.older ? 'dself' : 'self'), up: get('up') === '1'};
	},

	open(row) {
		const item = this.items[row];
		if (!item)
			return;
		if (!item.group)
			return openFunction(item.index);
		if (!this.opened.delete(item.group.name))
			this.opened.add(item.group.name);
		this.update();
		this.table.draw();
	},

	// Texts that are searched, made when first needed.
	haystack() {
		const f = choice.profile.functions;
		this.texts = this.texts || f.names.map((name, i) =>
			`${searched(name)}\n${f.fileOf(i)}\n${f.objectOf(i)}`.toLowerCase());
		return this.texts;
	},

	found() {
		const words = get('q').toLowerCase().split(/\s+/).filter(Boolean);
		const length = choice.profile.functions.length;
		const all = new Uint32Array(length);
		let n = 0;
		const texts = words.length ? this.haystack() : null;
		for (let i = 0; i < length; i++)
			if (!texts || words.every(word => texts[i].includes(word)))
				all[n++] = i;
		return all.subarray(0, n);
	},

	// Numbers to sort by; names have their rank.
	sortColumn(key) {
		const f = choice.profile.functions;
		const by = divisor();
		const divide = (column, other) => column.map((value, i) => other[i] ? value / other[i] : -1);
		switch (key) {
		case 'inclusive': return inclusiveColumn();
		case 'calls': return f.calls;
		case 'name': return this.ranks('nameRank', i => f.names[i]);
		case 'where': return this.ranks('placeRank', i => f.fileOf(i) + '\n' + f.objectOf(i));
		case 'dself': return choice.older ? changeColumn('self').map(Math.abs) : selfColumn();
		case 'dinclusive': return choice.older ? changeColumn('inclusive').map(Math.abs) : inclusiveColumn();
		case 'wrong': return choice.measures.get('Bm') ? choice.measures.get('Bm').column(choice.self) : selfColumn();
		case 'perself': return by ? divide(selfColumn(), by.self) : selfColumn();
		case 'perinclusive': return by ? divide(inclusiveColumn(), by.inclusive) : inclusiveColumn();
		default: return selfColumn();
		}
	},

	ranks(key, text) {
		if (this[key])
			return this[key];
		const texts = Array.from({length: choice.profile.functions.length}, (_, i) => text(i));
		const order = Uint32Array.from(texts.keys()).sort((a, b) => texts[a] < texts[b] ? -1 : 1);
		this[key] = new Float64Array(order.length);
		order.forEach((index, rank) => this[key][index] = rank);
		return this[key];
	},

	groupName(index) {
		const f = choice.profile.functions;
		switch (get('group')) {
		case 'object': return f.objectOf(index) || '(unknown object)';
		case 'file': return f.fileOf(index) || '(unknown file)';
		case 'class': return f.classes[index] || '(no class)';
		case 'python': return PYTHON_KINDS[pythonKind(index)];
		default: return f.cycle[index] ? `cycle ${f.cycle[index]}` : '(in no cycle)';
		}
	},

	grouped(order) {
		const groups = new Map();
		const self = selfColumn();
		const before = choice.older ? choice.measure.column(choice.older.self) : null;
		for (const index of order) {
			const name = this.groupName(index);
			let group = groups.get(name);
			if (!group)
				groups.set(name, group = {name, self: 0, change: 0, members: []});
			group.self += self[index];
			group.change += before ? self[index] - before[index] : 0;
			group.members.push({index});
		}
		const key = before && this.sort().key === 'dself' ? group => Math.abs(group.change) : group => group.self;
		return [...groups.values()].sort((a, b) => key(b) - key(a) || b.self - a.self).flatMap(group =>
			[{group}, ...this.opened.has(group.name) ? group.members : []]);
	},

	update() {
		const began = performance.now();
		const sort = this.sort();
		const key = this.sortColumn(sort.key);
		const order = this.found();
		const sign = sort.up ? 1 : -1;
		order.sort((a, b) => (key[a] - key[b]) * sign || a - b);
		this.items = get('group') ? this.grouped(order) : Array.from(order, index => ({index}));
		if (this.search.value !== get('q'))
			this.search.value = get('q');
		this.grouping.replaceChildren(...[select('Group by', groupings(), get('group'), value => go({group: value})),
			libraryPick('apart')].filter(Boolean));
		this.status.textContent = `${count(order.length)} of ${count(key.length)} functions`;
		this.table.set(this.columns(), this.items.length, sort);
		// The tests read how long it took by the browser's own clock.
		this.table.element.dataset.milliseconds = (performance.now() - began).toFixed(1);
	},

	columns() {
		const f = choice.profile.functions;
		const name = choice.measure.name;
		const whole = total();
		const cost = (column, group) => row => {
			const item = this.items[row];
			const value = item.group ? group(item.group) : column[item.index];
			return value === null ? '' : sharedCell(value, whole);
		};
		const groups = this.items.flatMap(item => item.group ? [item.group] : []);
		const older = olderProfile();
		const columns = [
			{key: 'inclusive', title: `Inclusive ${name}`, brief: 'Incl.', align: 'number',
				...widthsOfCosts(inclusiveColumn()), narrow: '5rem',
				help: `${choice.measure.long}: of the function and all that it calls.` +
					(f.cycle.some((cycle, i) => cycle && !f.whole[i]) ?
						` Of some members of cycles (\u21ba), ${CYCLE_HELP}.` : ''),
				cell: cost(inclusiveColumn(), () => null)},
			{key: 'self', title: `Self ${name}`, brief: 'Self', align: 'number',
				...widthsOfCosts(selfColumn(), groups.map(group => group.self)), narrow: '5rem',
				help: `${choice.measure.long}: of the function itself, ${chargesAre('apart') ? chargedHelp() :
					'without what it calls'}.`,
				cell: cost(selfColumn(), group => group.self)},
			...this.changeColumns(groups), ...this.quotientColumns(), ...this.wrongColumns(),
			{key: 'calls', title: `Calls${ofAllParts()}`, align: 'number', kind: 'counts',
				...widthsOfCounts(f.calls, older && older.calls, choice.part ? 9 : 7),
				help: 'How often the function was called by others, without calls of itself' +
					(choice.part ? `, in all parts, not in ${choice.part.name} alone` : '') +
					(older ? `; \u0394: how many more than in ${older.title}.` : '.'),
				cell: row => this.items[row].group ? `${count(this.items[row].group.members.length)} fn` :
					countCell(f.calls[this.items[row].index], older && older.calls[this.items[row].index])},
			{key: 'name', title: 'Function', width: 'minmax(16rem, 1fr)', narrow: 'minmax(8rem, 1fr)', named: true,
				help: 'Its name; Enter or a click opens it. A sign \u21ba marks members of a cycle of recursion.',
				cell: (row, room) => this.nameCell(row, room)},
			{key: 'where', title: 'File, object', kind: 'where', width: 'minmax(8rem, 16rem)',
				printed: choice.older ? '7rem' : '11rem',
				help: 'The source file and the program or library.',
				cell: row => this.items[row].group ? '' : el('span', {
					class: 'dim', help: `${f.fileOf(this.items[row].index)}  \u2013  ${f.objectOf(this.items[row].index)}`,
				}, `${fileName(f.fileOf(this.items[row].index))} \u00b7 ${baseName(f.objectOf(this.items[row].index))}`)},
		].filter(({key}) => !choice.measure.isOwn || !key.endsWith('inclusive'));
		// Where there is no room for all digits of changes, they are in the tips.
		this.width = this.table.element.clientWidth;
		const changes = columns.filter(column => column.changes);
		if (leastWidth(columns, SCREEN) > this.width)
			changes.forEach(column => Object.assign(column, {kind: 'change', width: widthsOfShortChanges(7).width}));
		if (leastWidth(columns, PAPER) > PAPER_WIDTH)
			changes.forEach(column => Object.assign(column, {
				kind: `${column.kind || ''} tight`, printed: widthsOfShortChanges().printed,
			}));
		return columns;
	},

	nameCell(row, room) {
		const {group, index} = this.items[row];
		if (group)
			return button({class: 'plain', 'aria-expanded': String(this.opened.has(group.name)),
				onclick: () => this.open(row)}, (this.opened.has(group.name) ? '\u25be ' : '\u25b8 ') +
				fittedTo(group.name, {...room, pixels: room.pixels - 20}));
		const f = choice.profile.functions;
		return [nameLink(index, f.cycle[index] ? {...room, pixels: room.pixels - 30} : room),
			f.cycle[index] ? el('span', {
				class: 'dim', help: `Member of ${cycleHelp(index)}`,
			}, ` \u21ba${f.cycle[index]}`) : null];
	},

	changeColumns(groups) {
		if (!choice.older)
			return [];
		const cell = (which, group) => {
			const column = changeColumn(which);
			const whole = choice.measure.sum(choice.older.totals);
			return row => {
				const item = this.items[row];
				const value = item.group ? group(item.group) : column[item.index];
				return value === null ? '' : changeBar(value, whole, choice.older.title);
			};
		};
		return [
			{key: 'dinclusive', title: '\u0394 inclusive', align: 'number', changes: true,
				...widthsOfChanges(changeColumn('inclusive')),
				help: `The change of the inclusive cost since ${choice.older.title}: new minus old. Sorted by size.`,
				cell: cell('inclusive', () => null)},
			{key: 'dself', title: '\u0394 self', align: 'number', changes: true, narrow: '5rem',
				...widthsOfChanges(changeColumn('self'), groups.map(group => group.change)),
				help: `The change of the self cost since ${choice.older.title}: new minus old. Sorted by size.`,
				cell: cell('self', group => group.change)},
		];
	},

	// Mispredictions, where branches were simulated and there is no change to be shown.
	wrongColumns() {
		const measure = choice.measures.get('Bm');
		const all = measure ? measure.sum(choice.totals) : 0;
		if (!(all > 0) || choice.older || measure === choice.measure)
			return [];
		const column = measure.column(choice.self);
		return [{
			key: 'wrong', title: 'Self Bm', align: 'number', ...widthsOfCosts(column),
			help: `${measure.long}: in the function itself.`,
			cell: row => this.items[row].group ? '' : sharedCell(column[this.items[row].index], all),
		}];
	},

	quotientColumns() {
		const by = divisor();
		if (!by)
			return [];
		const older = by.older && choice.older;
		const cell = which => {
			const column = choice.measure.column(choice[which]);
			const before = older && choice.measure.column(older[which]);
			return row => {
				if (this.items[row].group)
					return '';
				const {index} = this.items[row];
				const now = column[index] / by[which][index];
				const then = older ? before[index] / by.older[which][index] : now;
				// There is no room for both.
				return quotient(now) === quotient(then) ? quotient(now) : el('span', {
					class: now > then ? 'worse' : now < then ? 'better' : '', help: `was ${quotient(then)}`,
				}, quotient(now));
			};
		};
		const name = `${choice.measure.name} per ${by.name}`;
		return [
			{key: 'perinclusive', title: `Incl. ${name}`, align: 'number', width: '9rem', printed: '5.5rem',
				cell: cell('inclusive'),
				help: `${name}, of the function and all that it calls.`},
			{key: 'perself', title: `Self ${name}`, align: 'number', width: '9rem', printed: '5.5rem', narrow: '5rem',
				cell: cell('self'),
				help: `${name}, of the function itself.`},
		];
	},
};
