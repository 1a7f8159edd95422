// SPDX-License-Identifier: GPL-3.0-or-later
// The source of a function with the cost of each line and of the calls on it.

const LINES_AROUND = 4;
const GAP = 12;

// Lines of one file that belong to a function: Map line -> {row (of profile.lines) or -1, calls}.
function linesOfFunction(profile, index) {
	const files = new Map();
	const at = (file, line) => {
		if (!files.has(file))
			files.set(file, new Map());
		const lines = files.get(file);
		if (!lines.has(line))
			lines.set(line, {row: -1, calls: []});
		return lines.get(line);
	};
	for (const row of profile.lines.of(index))
		at(profile.lines.file[row], profile.lines.line[row]).row = row;
	for (const row of profile.lineCalls.of(index))
		at(profile.lineCalls.file[row], profile.lineCalls.line[row]).calls.push(row);
	return files;
}

// The text of a file's lines, from all stretches of it.
function textOf(profile, file) {
	const stretches = profile.sources.filter(source => source.file === file);
	for (const stretch of stretches)
		stretch.lines = stretch.lines || stretch.text.split('\n');
	return {
		any: stretches.length > 0,
		stale: stretches.some(stretch => stretch.stale),
		line(number) {
			const found = stretches.find(s => number >= s.first && number < s.first + s.lines.length);
			return found ? found.lines[number - found.first] : null;
		},
	};
}

// A table of lines or instructions, with a note above it.
class Pane {
	constructor(kind, label, options) {
		this.table = new RowWindow({label, rowHeight: 20, ...options});
		this.note = el('p', {class: 'note', hidden: true});
		this.element = el('section', {class: `pane ${kind}`, 'aria-label': label}, this.note, this.table.element);
	}

	say(text) {
		this.note.textContent = text;
		this.note.hidden = text === '';
	}

	// Goes to a row, or only draws (-1), without telling the other pane.
	mark(row) {
		const {onMove} = this.table;
		this.table.onMove = null;
		if (row >= 0)
			this.table.move(row, true);
		else
			this.table.draw();
		this.table.onMove = onMove;
	}
}

class SourcePane extends Pane {
	constructor(onChoose) {
		super('source', 'Source', {
			rowClass: row => this.items[row].kind,
			onMove: row => {
				const item = this.items[row];
				if (item.kind === 'line')
					onChoose({pane: this, file: item.file, line: item.number});
			},
			onOpen: row => {
				if (this.items[row].kind === 'call')
					openFunction(choice.profile.lineCalls.to[this.items[row].row]);
			},
		});
		this.items = [];
	}

	update(index, measures) {
		const {profile} = choice;
		this.index = index;
		this.items = this.itemsOf(profile, linesOfFunction(profile, index), profile.functions.file[index]);
		const greatest = measures.map(measure => this.items.reduce((most, item) =>
			item.kind === 'line' && item.row >= 0 ? Math.max(most, measure.at(profile.lines.costs, item.row)) : most, 0));
		const costs = costCells(measures, greatest, (measure, row) => {
			const item = this.items[row];
			if (item.kind === 'call')
				return measure.at(profile.lineCalls.costs, item.row);
			return item.kind === 'line' && item.row >= 0 ? measure.at(profile.lines.costs, item.row) : 0;
		}, 'line, without calls', row => this.againHelp(this.items[row]));
		const columns = [...costs, ...this.changeColumns(measures[0]), {
			key: 'line', title: 'Line', align: 'number', width: '3.2rem', narrow: '3.2rem', stick: true,
			help: 'The line in the source file.',
			cell: row => this.items[row].kind === 'line' ?
				dim(String(this.items[row].number || '?')) : '',
		}];
		const texts = widthOfTexts(this.items.map(item => item.kind === 'line' ? item.text || '' :
			item.kind === 'call' ? profile.functions.names[profile.lineCalls.to[item.row]].slice(0, 36) + ' '.repeat(14) : ''));
		this.need = texts + widthOfColumns(columns) + 12;
		this.table.set([...columns, {
			key: 'text', title: 'Source', kind: 'text', width: `minmax(${texts}px, 1fr)`, narrow: true,
			help: 'The source. Calls on a line are below it, with the cost of what was called.', named: true,
			cell: (row, room) => this.textCell(this.items[row], room),
		}], this.items.length, null);
		this.say([this.remark(), this.movedRemark(measures[0])].filter(Boolean).join('. '));
		this.table.element.scrollTop = 0;
	}

	// What has to be said about the source, if anything.
	remark() {
		const {items} = this;
		if (!items.length)
			return 'No line of this function is in this report: it is cheaper than --detail of costgrind report.';
		if (!items.some(item => item.kind === 'line' && item.text !== null))
			return 'The source was not found: costs by line number.';
		const files = new Set(items.filter(item => item.kind === 'line').map(item => item.file));
		const stale = [...files].filter(file => textOf(choice.profile, file).stale);
		return stale.length ? `Changed after the profile was made, so that lines may be others: ${
			stale.map(file => baseName(choice.profile.files[file])).join(', ')}` : '';
	}

	movedRemark(measure) {
		const by = choice.profile.older ? linesMoved(measure, this.index) : 0;
		return by ? `Lines were ${Math.abs(by)} ${by > 0 ? 'higher up' : 'further down'} in ${choice.profile.older.title}: ` +
			'they are not compared by their numbers' : '';
	}

	// Own file first, then those that cost most: they were inlined.
	itemsOf(profile, files, own) {
		const cost = lines => sumOf(lines, ({row}) => row < 0 ? 0 : choice.measure.at(profile.lines.costs, row));
		const order = [...files].sort((a, b) => (b[0] === own) - (a[0] === own) || cost(b[1]) - cost(a[1]));
		return order.flatMap(([file, lines]) => this.fileItems(profile, file, lines, file === own));
	}

	fileItems(profile, file, lines, own) {
		const text = textOf(profile, file);
		const items = [{kind: 'title', text: (own ? '' : 'inlined from ') + (profile.files[file] || '(unknown file)')}];
		const known = [...lines.keys()].sort((a, b) => a - b);
		let next = 0;
		for (const [i, number] of known.entries()) {
			const from = text.any && number ? Math.max(next, number - LINES_AROUND, 1) : number;
			// A few lines between are shown, more are left out.
			const first = text.any && number && next && number - next <= GAP ? next : from;
			if (next && first > next)
				items.push({kind: 'gap', text: '\u22ef'});
			const last = text.any && number ? Math.min(number + LINES_AROUND, (known[i + 1] || Infinity) - 1) : number;
			for (let n = first; n <= last; n++)
				this.addLine(items, text, file, n, lines.get(n));
			next = last + 1;
		}
		return items;
	}

	addLine(items, text, file, number, line) {
		const words = number ? text.line(number) : '(no line known)';
		if (words === null && !line)
			return;
		items.push({kind: 'line', file, number, text: words, row: line ? line.row : -1});
		const calls = line ? line.calls : [];
		const cost = row => choice.measure.at(choice.profile.lineCalls.costs, row);
		for (const row of [...calls].sort((a, b) => cost(b) - cost(a)))
			items.push({kind: 'call', row});
	}

	textCell(item, room) {
		if (item.kind === 'call') {
			const {lineCalls} = choice.profile;
			const to = lineCalls.to[item.row];
			const times = `  \u00d7 ${count(lineCalls.count[item.row])}${this.callsChange(item.row)} `;
			return el('span', {class: 'calls'}, '\u21b3 ',
				nameLink(to, {...room, pixels: this.inSight(room) - 7 * (times.length + 3)}), times,
				isRecursive(this.index, to) ? recursionSign(this.index, to) : null);
		}
		return el('code', {}, item.text === null ? '' : item.text);
	}

	againHelp({kind, row}) {
		const to = kind === 'call' ? choice.profile.lineCalls.to[row] : -1;
		return to >= 0 && isRecursive(this.index, to) ? recursionHelp(this.index, to) : '';
	}

	// Source lines may be longer than the pane is wide; names of calls need not be.
	inSight(room) {
		const {element, head} = this.table;
		return room.pixels === Infinity ? Infinity :
			Math.min(room.pixels, element.clientWidth - head.lastChild.offsetLeft - 18);
	}

	callsChange(row) {
		const {older, lineCalls} = choice.profile;
		const more = older ? countChange(lineCalls.count[row], older.lineCalls.count[row]) : '';
		return more && `  (${more})`;
	}

	// Of a line or of calls on it: new minus old.
	changeOf(measure, {kind, row}) {
		const {older, lines, lineCalls} = choice.profile;
		if (kind === 'call')
			return measure.at(lineCalls.costs, row) - measure.at(older.lineCalls.costs, row);
		return kind === 'line' && row >= 0 ? measure.at(lines.costs, row) - measure.at(older.lineCosts, row) : 0;
	}

	changeColumns(measure) {
		const older = choice.profile.older;
		if (!older || linesMoved(measure, this.index))
			return [];
		return [changeColumnOf(measure,
			`The change of the line, or of calls on it, since ${older.title}: new minus old, of lines of one number. ` +
			'Where lines were put in or taken out, the lines after them are compared with others.',
			row => this.changeOf(measure, this.items[row]), {stick: true})];
	}

	show(file, line) {
		let at = this.items.findIndex(item => item.kind === 'line' && item.file === file && item.number === line);
		if (at < 0)
			at = this.items.findIndex(item => item.kind === 'line' && item.number === line);
		this.mark(at);
	}

	// Says which it is.
	showHottest() {
		const {lines} = choice.profile;
		const cost = item => item.kind === 'line' && item.row >= 0 ? choice.measure.at(lines.costs, item.row) : -1;
		const row = argMax(this.items.map(cost));
		this.mark(row);
		return this.items[row];
	}
}

// -- machine code --

// The machine code of a function with the cost of each instruction, and arrows for its jumps.

const LANES = 7;
const LANE_WIDTH = 7;

// Jumps of a lane do not overlap and are in order: the first of them that ends at a row or after it.
function firstFrom(lane, row) {
	let low = 0;
	let high = lane.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (lane[middle].high < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Gives each jump a lane: short ones inside, so that long ones go around them.
function lanesOf(jumps) {
	const lanes = [];
	const span = jump => Math.abs(jump.to - jump.from);
	for (const jump of [...jumps].sort((a, b) => span(a) - span(b) || a.from - b.from)) {
		jump.low = Math.min(jump.from, jump.to);
		jump.high = Math.max(jump.from, jump.to);
		jump.lane = LANES - 1;
		for (let at = 0; at < LANES - 1; at++) {
			const lane = lanes[at] = lanes[at] || [];
			const next = firstFrom(lane, jump.low);
			if (next < lane.length && lane[next].low <= jump.high)
				continue;
			lane.splice(next, 0, jump);
			jump.lane = at;
			break;
		}
	}
	return jumps.reduce((most, jump) => Math.max(most, jump.lane + 1), 0);
}

class CodePane extends Pane {
	constructor(onChoose) {
		super('code', 'Machine code', {
			rowClass: row => this.isChosen(row) ? 'same' : '',
			overlay: (first, last) => this.arrows(first, last),
			onMove: row => {
				this.chosen = {file: this.code.file[row], line: this.code.line[row]};
				this.table.draw();
				onChoose({pane: this, ...this.chosen});
			},
		});
		this.code = null;
		this.chosen = null;
	}

	isChosen(row) {
		return this.chosen && this.chosen.line > 0 && this.code.line[row] === this.chosen.line &&
			this.code.file[row] === this.chosen.file;
	}

	update(index, measures) {
		const code = this.code = choice.profile.code(index);
		this.index = index;
		this.chosen = null;
		this.lanes = code ? lanesOf(code.jumps) : 0;
		// Of several from one row, the first.
		this.jumpOf = new Map(code ? [...code.jumps].reverse().map(jump => [jump.from, jump]) : []);
		const older = code && olderProfile() ? code.older : null;
		this.say(this.remark(code, older));
		this.element.classList.toggle('empty', !code || !code.length);
		if (!code)
			return this.table.set([], 0, null);
		const greatest = measures.map(measure => measure.column(code.costs).reduce((a, b) => Math.max(a, b), 0));
		const texts = widthOfTexts(Array.from({length: code.length}, (_, row) => plainName(code.text(row)) +
			(this.jumpOf.has(row) ? ' '.repeat(16) : '')));
		const places = Array.from({length: code.length}, (_, row) => this.placeOf(row));
		const columns = [
			...costCells(measures, greatest, (measure, row) => measure.at(code.costs, row), 'instruction'),
			...this.changeColumns(measures[0], older),
			{key: 'line', title: 'Line', width: `${Math.max(4, ...new Set(places.map(text => text.length))) * 7.6 + 12}px`,
				narrow: '3.6rem', align: 'number', help: 'The source line that it was compiled from.',
				cell: row => row && places[row] === places[row - 1] ? '' : dim(places[row])},
			{key: 'address', title: 'Address', width: '5rem', help: 'Its address in the object file.',
				cell: row => dim(code.address[row].toString(16))},
			{key: 'jumps', title: '', width: `${this.lanes * LANE_WIDTH + 10}px`,
				help: 'Jumps within the function.', cell: () => ''},
		];
		this.need = texts + widthOfColumns(columns) + 12;
		this.table.set([...columns,
			{key: 'text', title: 'Instruction', kind: 'text', width: `minmax(${texts}px, 1fr)`, narrow: true,
				help: 'The instruction. Its arrow shows where it jumps to; the thicker, the more often.',
				cell: row => el('code', {}, plainName(code.text(row)), older && older.isNew.has(row) ?
					el('small', {class: 'dim jump'}, 'new') : null, this.jumpText(row))},
		], code.length, null);
		this.table.element.scrollTop = 0;
	}

	// What has to be said about the code, if anything.
	remark(code, older) {
		if (!code || !code.length)
			return 'No machine code is in this report: profile with --dump-instr=yes; ' +
				'functions cheaper than --detail have none.';
		const change = older ? this.changeRemark(older) : '';
		return [code.note, change].filter(Boolean).join('. ');
	}

	// How instructions were compared with the older profile's, or why they were not.
	changeRemark({way, file, why, gone}) {
		const absent = file ? `the older program is not there to look at (${file})` : '';
		switch (way) {
		case 'none':
			return `${choice.older.title} has no costs of a function of this name.`;
		case 'file':
			return '';
		case 'text':
			return '\u0394 compares instructions that both programs have in the same order, by their texts. ' +
				this.goneRemark(gone);
		case 'offset':
			return `\u0394 compares instructions by their distance from the first: ${absent || 'code changed'}, but what ` +
				'both profiles have of these is the same: places, lines, calls, jumps, references for each execution. ' +
				'What they compute with may be another one.';
		default:
			return `No \u0394 of single instructions: ${absent ? `${absent}, and the profiles do not fit together: ` : ''}` +
				`${why}. See the \u0394 of lines.`;
		}
	}

	goneRemark(gone) {
		const number = gone.instructions;
		return number ? `${count(number)} ${number === 1 ? 'instruction' : 'instructions'} of the older code, costing ` +
			`${count(choice.measure.sum(gone.costs.map(Number)))} ${choice.measure.name}, ` +
			`${number === 1 ? 'is' : 'are'} not in the newer.` : '';
	}

	changeColumns(measure, older) {
		if (!older || !older.costs)
			return [];
		return [changeColumnOf(measure, `The change of the instruction since ${choice.older.title}: new minus old.`,
			row => measure.at(this.code.costs, row) - measure.at(older.costs, row))];
	}

	// Of the function's own file, the line is enough.
	placeOf(row) {
		const {file, line} = this.code;
		if (!(line[row] > 0))
			return '?';
		return file[row] === choice.profile.functions.file[this.index] ? String(line[row]) :
			shorten(place(choice.profile.files[file[row]] || '', line[row]), 16);
	}

	jumpText(row) {
		const jump = this.jumpOf.get(row);
		// -1: not recorded.
		if (!jump || jump.taken < 0)
			return null;
		const text = jump.executed > 0 && jump.executed !== jump.taken ?
			`taken ${percent(jump.taken, jump.executed)} of ${shortCount(jump.executed)}` : `${shortCount(jump.taken)} times`;
		return el('small', {class: 'dim jump'}, text);
	}

	// Arrows of the rows from first to last, in a picture laid over them.
	arrows(first, last) {
		const table = this.table;
		const head = table.head.children[table.columns.findIndex(column => column.key === 'jumps')];
		if (!this.lanes || !head || !head.offsetWidth)
			return null;
		const height = table.rowHeight;
		const most = this.code.jumps.reduce((a, jump) => Math.max(a, jump.taken), 1);
		const right = this.lanes * LANE_WIDTH + 4;
		const paths = this.code.jumps.filter(jump => jump.low < last && jump.high >= first).map(jump => {
			const x = right - 6 - jump.lane * LANE_WIDTH;
			const y = row => (row - first + 0.5) * height;
			const tip = `${right - 4} ${y(jump.to) - 3} L ${right} ${y(jump.to)} L ${right - 4} ${y(jump.to) + 3}`;
			return svg('path', {
				class: jump.to < jump.from ? 'back' : 'forth',
				d: `M ${right} ${y(jump.from)} H ${x} V ${y(jump.to)} H ${right} M ${tip}`,
				'stroke-width': (0.8 + 1.8 * Math.sqrt(Math.max(0, jump.taken) / most)).toFixed(2),
				'stroke-opacity': jump.taken > 0 ? '0.9' : '0.3',
			});
		});
		return svg('svg', {
			class: 'arrows', 'aria-hidden': 'true', width: right + 4, height: (last - first) * height,
			vars: {left: `${head.offsetLeft}px`, top: `${first * height}px`},
		}, paths);
	}

	// Marks the instructions of a line, and goes to the most expensive of them.
	show(file, line) {
		if (!this.code)
			return;
		this.chosen = {file, line};
		const cost = choice.measure.column(this.code.costs);
		let best = -1;
		for (let row = 0; row < this.code.length; row++)
			if (this.isChosen(row) && (best < 0 || cost[row] > cost[best]))
				best = row;
		this.mark(best);
	}
}

// -- function --

// One function: what it costs, who calls it and whom it calls, its source next to its machine code.

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
		// What another view hid has forgotten where it was scrolled to.
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
		const mostly = mostlyOf(event => self[event][index]);
		return parts.length > 1 ? [el('span', {class: 'stack small'}, stackOf(parts)),
			mostly ? el('span', {}, `mostly ${mostly}`) : null] : null;
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

// The measures next to each line and instruction: the chosen one, and as many of those that explain it as there is room
// for: parts of cycles, where these were counted, then others by what they usually cost; mispredictions always, where
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

// Columns of costs; costAt(measure, row) is undefined where there is nothing to show, againHelp(row) says about calls
// within a recursion that they are no share.
function costCells(measures, greatest, costAt, what, againHelp = () => '') {
	return measures.map((measure, i) => ({
		key: measure.name, title: measure.name, align: 'number', kind: 'heat', stick: true,
		width: `${Math.max(3.6, measure.name.length * 0.7 + 0.9).toFixed(1)}rem`,
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

// -- lines that moved --

// Lines are compared with the older profile's by their numbers.  Where something was put in or taken out above a
// function, that compares each line with another one: it is found out by the costs, which fit far better some lines on.

const MOVED_CANDIDATES = 6;
const movedKept = new WeakMap();

// How far costs are apart if the older ones belong to lines that were `by` lower.
function misfit(lines, by) {
	let sum = 0;
	for (const [line, {now, before}] of lines) {
		const other = lines.get(line - by);
		sum += Math.abs(now - (other ? other.before : 0));
		// What would be of a line that is not there.
		sum += lines.has(line + by) ? 0 : before;
	}
	return sum;
}

// By how many lines a function has moved since the older profile; 0 if it has not, or nobody can tell.
function linesMoved(measure, index) {
	const {lines, older, functions} = choice.profile;
	if (!movedKept.has(measure))
		movedKept.set(measure, new Map());
	const kept = movedKept.get(measure);
	if (!kept.has(index)) {
		const [now, before] = [measure.column(lines.costs), measure.column(older.lineCosts)];
		const own = new Map();
		for (const row of lines.of(index))
			if (lines.file[row] === functions.file[index] && lines.line[row])
				own.set(lines.line[row], {now: now[row], before: before[row]});
		kept.set(index, bestShift(own));
	}
	return kept.get(index);
}

function bestShift(lines) {
	const hottest = key => [...lines].sort((a, b) => b[1][key] - a[1][key]).slice(0, MOVED_CANDIDATES)
		.map(([line]) => line);
	const total = sumOf(lines, ({now, before}) => Math.abs(now) + Math.abs(before));
	const apart = misfit(lines, 0);
	let best = {by: 0, misfit: apart * 0.5};
	if (apart > total * 0.05)
		for (const line of hottest('now'))
			for (const other of hottest('before')) {
				const now = line === other ? Infinity : misfit(lines, line - other);
				if (now < best.misfit)
					best = {by: line - other, misfit: now};
			}
	return best.by;
}

// -- misses by size of cache --

// Data misses by size of cache (--miss-curve), with the knees and the size from which all fits that costgrind curve
// finds, too.

const CURVE_DROP = 0.1;
const CURVE_LEFT = 0.05;

// Of columns of costs by event, at an index, by size: [{size, misses, isKnee, isFit}]; none if nothing is missed, or
// was counted.
function missCurve(costs, index) {
	const points = choice.profile.events.flatMap(({name}, event) => {
		const match = /^M(\d+)([KM])$/.exec(name);
		return match ? [{size: match[1] * (match[2] === 'K' ? 1024 : 1048576), misses: costs[event][index]}] : [];
	}).sort((a, b) => a.size - b.size);
	const [first, last] = [points[0], points.at(-1)];
	if (!first || !first.misses)
		return [];
	const drops = points.map(({misses}, i) => i > 0 && points[i - 1].misses - misses >= CURVE_DROP * first.misses);
	// First touches are spared by no size; of what is not known to be one, the largest size may have any number.  Lines
	// that a prefetcher brought are in D1 when they are touched first.
	const cold = choice.measures.get('Pf') ? null : choice.measures.get('D1cold');
	const coldAt = point => cold ? cold.at(costs, index) : point === last ? 0 : last.misses;
	const fit = points.find(point => point.misses - coldAt(point) <= CURVE_LEFT * first.misses);
	return points.map((point, i) => ({...point, isKnee: drops[i] && !drops[i + 1], isFit: point === fit}));
}

// "knee at 384 KiB, fits from 512 KiB"
function curveText(points) {
	return points.flatMap(({size, isKnee, isFit}) => [...isKnee ? [`knee at ${bytes(size)}`] : [],
		...isFit ? [`fits from ${bytes(size)}`] : []]).join(', ');
}

// A bar for each size, of the function alone, or else with all that it calls; a line follows the largest size that a
// level of the machine holds.  null if there is nothing to show.
function curveFigure(index) {
	const own = missCurve(choice.self, index);
	const points = own.length ? own : missCurve(choice.inclusive, index);
	if (!points.length)
		return null;
	const {headers} = choice.profile;
	const levels = Object.entries(cachesOf(headers)).filter(([name]) => name !== 'I1');
	const [sampled] = headers.map(header => /sampled, one line of \d+$/.exec(header)).find(Boolean) || [''];
	const bars = points.map(({size, misses, isKnee, isFit}, i) => {
		const passed = levels.filter(([, level]) => i > 0 && level.size < size && level.size >= points[i - 1].size);
		return el('i', {
			class: [isKnee || isFit ? 'mark' : '', passed.length ? 'level' : ''].join(' '),
			vars: {'--share': String(misses / points[0].misses)},
			help: [`${bytes(size)}: ${count(misses)} misses`, isKnee ? 'knee' : '', isFit ? 'fits from here' : '',
				...passed.map(([name, level]) => `more than ${name} (${bytes(level.size)})`)].filter(Boolean).join(', '),
		});
	});
	const text = curveText(points);
	const range = `${bytes(points[0].size)} to ${bytes(points.at(-1).size)}${sampled && ` (${sampled})`}`;
	return el('div', {class: 'figure', tabindex: '0',
		help: `Data misses of a fully associative LRU cache, from ${range}; lines: levels of the machine.`},
	el('b', {}, 'Cache sizes'), el('span', {}, own.length ? 'self' : 'inclusive'),
	el('span', {class: 'curve', role: 'img', 'aria-label': text}, bars), el('span', {}, text));
}
