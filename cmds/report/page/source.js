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

class SourcePane {
	constructor(onChoose) {
		this.items = [];
		this.table = new RowWindow({
			label: 'Source', rowHeight: 20, rowClass: row => this.items[row].kind,
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
		this.note = el('p', {class: 'note', hidden: true});
		this.element = el('section', {class: 'pane source', 'aria-label': 'Source'}, this.note, this.table.element);
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
		this.note.textContent = [this.remark(), this.movedRemark(measures[0])].filter(Boolean).join('. ');
		this.note.hidden = this.note.textContent === '';
		this.table.element.scrollTop = 0;
	}

	// What has to be said of the source, if anything.
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
			'Where lines were put in or taken out, those behind them are compared with others.',
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

	// Without telling the other pane.
	mark(row) {
		const {onMove} = this.table;
		this.table.onMove = null;
		if (row >= 0)
			this.table.move(row, true);
		this.table.onMove = onMove;
	}
}
