// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline: floating-point operations of functions against the bytes that they need, from each place, below what
// one core of the machine does at most.

const ROOFLINE = {left: 60, right: 24, top: 16, bottom: 44, labels: 8};
const PLACE_KINDS = {L1: 'exec', L2: 'results', L3: 'l1', LL: 'l1', L4: 'tlb', memory: 'll'};

function rooflineOf(raw) {
	if (!raw)
		return null;
	const numbersOf = row => ({...row, operations: row.operations.map(Number), bytes: row.bytes.map(Number),
		cycles: Number(row.cycles || 0) / 10});
	const rowOf = row => {
		const known = numbersOf(row);
		const all = sumOf(known.operations);
		return {...known, all, rate: known.cycles ? all / known.cycles : 0,
			intensity: known.bytes.map(bytesOf => bytesOf ? all / bytesOf : 0)};
	};
	return {...raw, rows: raw.rows.map(rowOf), total: rowOf(raw.total)};
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
			step: (item, key) => neighbour(this.picture.boxes, item, key), onEnter: item => openFunction(item.index),
			onOpen: item => openFunction(item.index),
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
		const {machine, total: {all}, left} = roofline;
		this.note.textContent = statusText(`${count(all)} floating-point operations, of functions alone`,
			roofline.has_cycles ? 'as many a cycle as the simulated core does' :
				machine ? 'at the most that roofs leave' : 'intensity only: the profile names no machine that has roofs',
			machine && `roofs of one core of ${machine}`,
			roofline.has_prefetches && 'lines that were prefetched are in no column',
			left && `${count(left)} more functions have fewer`);
		this.showRows(roofline.rows, this.columns(roofline), null);
		this.draw();
	},

	columns({rows, total, places, has_cycles: hasCycles, machine}) {
		const {names} = choice.profile.functions;
		const number = (title, help, value, text) =>
			({...this.numberColumn(title, help, rows, value, text), printed: '3rem'});
		const from = name => name === 'L1' ? 'that instructions read and write' : `from ${name}, in lines`;
		return [
			{key: 'cost', title: 'Operations', align: 'number', narrow: '5rem', ...widthsOfCosts(rows.map(row => row.all)),
				help: 'Floating-point operations of all precisions, and their share of all.', value: row => row.all,
				cell: at => [barCell(roomy(this.rows[at].all), this.rows[at].all / total.all),
					el('small', {}, percent(this.rows[at].all, total.all))]},
			...places.map(({name}, i) => number(`op/B ${name}`, `Operations for each byte ${from(name)}.`,
				row => row.intensity[i], quotient)),
			...places.map(({name}, i) => number(`B ${name}`, `Bytes ${from(name)}.`, row => row.bytes[i])),
			...hasCycles ? [number('op/cycle', 'Operations in a cycle of the simulated core.', row => row.rate, quotient)] : [],
			...machine ? [number('At most', 'Operations in a cycle that roofs leave.', row => row.attainable || 0, quotient),
			{key: 'bound', title: 'By', width: '6.5rem', printed: '4rem',
				help: 'What bounds it: computing, or bytes of a place.', value: row => row.bound || '',
				cell: at => this.rows[at].bound || ''}] : [],
			{key: 'name', title: 'Function', width: 'minmax(10rem, 1fr)', narrow: 'minmax(8rem, 1fr)', printed: '10rem',
				help: 'Opens it.', value: row => names[row.function], cell: at => el('a', {
					href: functionLink(this.rows[at].function), tabindex: '-1'}, shortName(names[this.rows[at].function], 60))},
		];
	},

	// At which height a function stands; 0 if nothing says it.
	heightOf(row) {
		return row.rate || row.attainable || 0;
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
		this.picture.show(svg('svg', {class: 'roofline', width: width - 8, height: height - 8,
			viewBox: `0 0 ${width - 8} ${height - 8}`}, shapes.filter(Boolean)), boxes);
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
		const item = {id: `r${row.function}`, key: row.function, index: row.function, cost: row.all,
			cx: sumOf(xs) / xs.length, cy: at};
		boxes.push(item);
		const tip = [name, [`${count(row.all)} operations, ${percent(row.all, total.all)}`,
			row.rate && `${quotient(row.rate)} a cycle`,
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
