// SPDX-License-Identifier: GPL-3.0-or-later
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

class CodePane {
	constructor(onChoose) {
		this.code = null;
		this.chosen = null;
		this.table = new RowWindow({
			label: 'Machine code', rowHeight: 20,
			rowClass: row => this.isChosen(row) ? 'same' : '',
			overlay: (first, last) => this.arrows(first, last),
			onMove: row => {
				this.chosen = {file: this.code.file[row], line: this.code.line[row]};
				this.table.draw();
				onChoose({pane: this, ...this.chosen});
			},
		});
		this.note = el('p', {class: 'note', hidden: true});
		this.element = el('section', {class: 'pane code', 'aria-label': 'Machine code'}, this.note, this.table.element);
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
		this.note.textContent = this.remark(code, older);
		this.note.hidden = this.note.textContent === '';
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

	// What has to be said of the code, if anything.
	remark(code, older) {
		if (!code || !code.length)
			return 'No machine code is in this report: profile with --dump-instr=yes; ' +
				'functions cheaper than --detail have none.';
		const change = older ? this.changeRemark(older) : '';
		return [code.note, change].filter(Boolean).join('. ');
	}

	// How instructions were compared with those of the older profile, or why they were not.
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
				`${why}. See that of the lines.`;
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
			shorten(place(choice.profile.files[file[row]] || '', line[row]), 20);
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
		const {onMove} = this.table;
		this.table.onMove = null;
		if (best >= 0)
			this.table.move(best, true);
		else
			this.table.draw();
		this.table.onMove = onMove;
	}
}
