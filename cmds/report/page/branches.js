// SPDX-License-Identifier: GPL-3.0-or-later
// Branches that are mispredicted: of which kind each is, and what its condition depends on.

const BRANCH_ADVICE = {
	'data-dependent': 'Make it branch-free, or sort or group the data.',
	'loop exit': 'Fewer and longer loops, or of a fixed number of turns, are predicted.',
	correlated: 'It follows from branches before it: decide once.',
	biased: 'It goes one way nearly always: there is little to gain.',
};

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

// Executions that the best choice mispredicts that never changes; null if it is not known.
function staticMisses(row) {
	return row.taken === null ? null : Math.min(Number(row.taken), row.executed - row.taken);
}

const branchesView = {
	key: 'branches', title: 'Branches',
	by: {key: 'missed', up: false},

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

	sortBy(key) {
		this.by = {key, up: this.by.key === key && !this.by.up};
		this.update();
	},

	update() {
		const {branches} = choice.profile;
		const sign = this.by.up ? 1 : -1;
		const columns = this.columns(branches);
		const {value} = columns.find(({key}) => key === this.by.key);
		const keys = new Map(branches.rows.map(row => [row, value(row)]));
		this.rows = [...branches.rows].sort((a, b) =>
			keys.get(a) === keys.get(b) ? 0 : keys.get(a) < keys.get(b) ? -sign : sign);
		this.note.textContent = [`${count(branches.rows.length)} branches`, branches.left &&
			`${count(branches.left)} more have ${percent(branches.left_missed, branches.missed)} of the mispredictions`,
		choice.part && 'of all parts', choice.older && 'of the newer profile',
		!branches.has_detail && 'kinds need --branch-detail=yes'].filter(Boolean).join('  \u00b7  ');
		this.table.set(columns, this.rows.length, this.by);
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
				cell: at => [barCell(roomy(+this.rows[at].missed), this.rows[at].missed / missed),
					el('small', {}, percent(this.rows[at].missed, missed))]},
			{key: 'executed', title: 'Executed', align: 'number', kind: 'counts',
				...widthsOfCounts(rows.map(row => +row.executed), null),
				help: 'How often it was executed.', value: row => +row.executed, cell: at => count(+this.rows[at].executed)},
			share('rate', 'Rate', 'Mispredictions, in percent of executions.', row => row.missed),
			...hasTaken ? [share('taken', 'Taken', 'Executions that jumped.', row => row.taken),
				share('static', 'Static', 'What the best fixed choice would mispredict.', staticMisses)] : [],
			...hasDetail ? [share('counter', 'Counter', 'What a counter of its own would mispredict.', row => row.by_counter),
				share('history', 'History', 'What its own history would mispredict.', row => row.by_history)] : [],
			text('kind', 'Kind', '13rem', '5rem', 'docs/BRANCHES.md explains kinds.',
				row => [row.kind, row.hard && 'hard'].filter(Boolean).join(', ')),
			{key: 'where', title: 'Where', width: 'minmax(12rem, 1fr)', narrow: 'minmax(8rem, 1fr)', printed: '9rem',
				help: 'The line and the function.',
				value: row => place(choice.profile.files[row.file] || '', row.line), cell: at => this.placeCell(this.rows[at])},
			text('code', 'Instruction', 'minmax(8rem, 16rem)', '7rem', 'The jump, as the object has it.',
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
