// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of data that the program missed on (--data=yes): a map and a table of them; of the one that is chosen, who
// allocated it, where in it misses are, and by whom.  They have events of their own, those of the data profile.

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

function kindText(kind) {
	return baseName(kind) || '(unknown)';
}

// The function and line that a site names, "add_client clients.c:18"; its link, or its text if it is not there.
function siteLink(site) {
	const match = /^(.*) ([^ ]+):(\d+)$/.exec(site);
	const index = (state.named.get(match ? match[1] : site) || [-1])[0];
	if (index < 0)
		return site;
	const file = match ? choice.profile.files.findIndex(path => baseName(path) === match[2]) : -1;
	return el('a', {href: functionLink(index, file >= 0 ? {line: match[3], file} : {})}, site);
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
			step: (item, key) => neighbour(this.picture.boxes, item, key), onEnter: item => this.choose(item.key),
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
		const columns = [
			this.costColumn(measure, rows, measure.sum(totals), `${measure.long}, and its share of all.`),
			{key: 'name', title: 'Object', width: 'minmax(13rem, 1fr)', narrow: 'minmax(8rem, 1fr)', printed: '14rem',
				help: 'A variable, or who allocated it, with sizes.', value: objectTitle,
				cell: at => el('span', {help: this.rows[at].name}, objectTitle(this.rows[at]))},
			{key: 'kind', title: 'Where', width: '7rem', printed: '6rem', help: 'Heap, stack, an object file\u2019s variables.',
				value: row => row.kind, cell: at => el('span', {help: this.rows[at].kind}, kindText(this.rows[at].kind))},
			...this.extra.map(({title, help, of}) => this.numberColumn(title, `${help}.`, rows, row => of(row.costs))),
		];
		this.chosen = this.showRows(rows, columns, get('object'));
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
			shapes.push(box({...item, index: -1, colour, text: h > 14 ? objectTitle(row) : '',
				tip: `${row.name}\n${count(cost)} ${this.measure.name}, ${share}\n${row.kind}`}));
			if (h > 32 && w > 50)
				shapes.push(svg('text', {class: 'frame-title', x: x + 4, y: y + 29}, share));
		};
		squarify(this.kinds(), {x: 0, y: 0, width: width - 4, height: height - 6}, (kind, x, y, w, h) => {
			shapes.push(svg('rect', {class: 'frame level0', x: x + 1, y: y + 1, width: Math.max(0, w - 2),
				height: Math.max(0, h - 2)}));
			const top = w > 50 && h > 2 * MAP_TITLE ? MAP_TITLE : 2;
			if (top === MAP_TITLE)
				shapes.push(svg('text', {class: 'frame-title', x: x + 5, y: y + 12},
					shorten(`${kind.text}  ${percent(kind.cost, whole)}`, Math.floor((w - 8) / 6.6))));
			squarify(kind.inner, {x: x + 2, y: y + top, width: w - 4, height: h - top - 2},
				(inner, ...place) => drawObject(inner, kind.colour, ...place));
		});
		this.picture.active = this.chosen ? {key: this.chosen.key} : null;
		this.picture.show(svg('svg', {class: 'map', width: width - 4, height: height - 6,
			viewBox: `0 0 ${width - 4} ${height - 6}`}, shapes), boxes);
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
	// Titles of the costs of a part of an object.
	costTitles() {
		return [[this.measure.name, 'Its share of the object\u2019s', 'number'],
			...this.extra.map(({title, help}) => [title, help, 'number'])];
	},

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
				...this.costTitles()],
			members.map(member => [...isPlaced(member) ? [count(member.offset), count(member.size)] : ['', ''], nameOf(member),
				shareCell(cost(member), measure.sum(costs)), ...this.extra.map(({of}) => countOrNothing(of(member.costs)))])),
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
				'Where in it: bytes from its beginning, of an array from that of an element'),
			lineStrips('Where in it misses are', cells, row.pieces.at(-1).offset + step, LINE_BYTES)) : null,
			list.length ? tableSection('Offsets that miss', [['Offset', 'Bytes from its beginning', 'number'],
				...this.costTitles()],
			list.slice(0, 12).map(piece => [count(piece.offset),
				shareCell(cost(piece), whole), ...this.extra.map(({of}) => countOrNothing(of(piece.costs)))])) : null,
		];
	},

	userTable({users, costs}) {
		const {measure} = this;
		const cost = user => measure.sum(user.costs);
		const list = users.filter(user => cost(user) > 0).sort((a, b) => cost(b) - cost(a)).slice(0, 12);
		return list.length ? tableSection('Functions that miss on it', [['Function', 'Opens it'],
			...this.costTitles()],
		list.map(user => [user.function === null ? shortName(user.name, 50) :
			el('a', {href: functionLink(user.function)}, shortName(user.name, 50)), shareCell(cost(user), measure.sum(costs)),
		...this.extra.map(({of}) => countOrNothing(of(user.costs)))])) : null;
	},
};
