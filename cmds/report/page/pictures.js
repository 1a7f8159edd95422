// SPDX-License-Identifier: GPL-3.0-or-later
// Boxes in a picture (flame graph, tree map, call graph): colours, labels, and the keys that go from one to another.

const COLOURS = 8;

// By what colours are told apart: objects, or if one has nearly everything, source files, or functions.
let colouring = null;
function colouringFor() {
	if (colouring && colouring.measure === choice.measure)
		return colouring;
	const f = choice.profile.functions;
	const self = selfColumn();
	for (const [by, key] of [['object', f.object], ['source file', f.file], ['function', f.nameOrder]]) {
		const sums = new Map();
		self.forEach((cost, i) => sums.set(key[i], (sums.get(key[i]) || 0) + cost));
		colouring = {measure: choice.measure, by, key};
		// No spread: there may be more functions than a call has arguments.
		let most = 0;
		for (const sum of sums.values())
			most = Math.max(most, sum);
		if (most < total() * 0.75)
			break;
	}
	return colouring;
}

// A class for what has changed: "even", "worse1", "better2".
function changeClass(now, before) {
	const relative = (now - before) / Math.max(now, before, 1);
	if (Math.abs(now - before) < total() * 1e-6 || Math.abs(relative) < 0.005)
		return 'even';
	return `${relative > 0 ? 'worse' : 'better'}${Math.abs(relative) > 0.3 ? '2' : '1'}`;
}

// With an older profile, colours say what has changed.
function colourOf(index) {
	if (index < 0)
		return 'root';
	if (get('view') === 'graph' ? olderProfile() : choice.older)
		return changeClass(selfColumn()[index], choice.measure.column(choice.older.self)[index]);
	return `c${colouringFor().key[index] % COLOURS}`;
}

function boxTip(index, cost, more = '') {
	const f = choice.profile.functions;
	const name = index < 0 ? 'all, or what was folded' : f.names[index];
	const graph = get('view') === 'graph';
	const together = graph || get('view') === 'flame';
	const older = graph ? olderProfile() : choice.older;
	const self = graph ? choice.measure.column(f.self) : selfColumn();
	return `${name}\n${count(cost)} ${choice.measure.name}, ` +
		percent(cost, together ? totalOfParts() : total()) + (together ? ofAllParts() : '') +
		more + (index < 0 ? '' : `\n${together && !graph ? 'in all: ' : ''}self ` +
		percent(self[index], graph ? totalOfParts() : total()) +
		(together && !graph && choice.part ? ` of ${choice.part.name}` : '') +
		(older ? `, \u0394 self ${change(changeColumn('self')[index])}, ` +
			`\u0394 inclusive ${change(changeColumn('inclusive')[index])}` : '') +
		(graph && f.cycle[index] ? `\nIn ${cycleHelp(index)}` : '') +
		`\n${f.fileOf(index)}\n${f.objectOf(index)}`);
}

// A box with as much of its name as fits.
function box({id, x, y, width, height, index, text, tip, dim, classes = '', colour = ''}) {
	const room = Math.floor((width - 6) / 6.6);
	return svg('g', {
		id, class: `box ${colour || colourOf(index)} ${dim ? 'dimmed' : ''} ${classes}`, help: tip,
		role: 'img', 'aria-label': tip.replaceAll('\n', ', '),
	}, svg('rect', {x: x.toFixed(1), y, width: Math.max(0.5, width - 0.6).toFixed(1), height: height - 1, rx: 2}),
	room > 2 ? svg('text', {x: (x + 4).toFixed(1), y: y + Math.min(height / 2 + 4, 15)}, shorten(text, room)) : null);
}

// A picture that has the focus: one of its boxes is the active one.  step(box, key) says which is next; else it is the
// nearest one in that direction.
class Picture {
	constructor({label, step = (item, key) => neighbour(this.boxes, item, key), onOpen, onEnter, onEscape}) {
		Object.assign(this, {step, onOpen, onEnter, onEscape});
		this.boxes = [];
		this.active = null;
		this.element = el('div', {
			class: 'picture', role: 'application', tabindex: '0', 'aria-label': label,
			onkeydown: event => this.key(event),
			onclick: event => this.click(event, this.onEnter),
			ondblclick: event => this.click(event, this.onOpen),
		});
		this.tip = el('p', {class: 'selection', role: 'status'});
	}

	// A view that is this picture with what chooses and explains it on top; drawn again if its size changes.
	view(key, update, ...tools) {
		new ResizeObserver(() => get('view') === key && update()).observe(this.element);
		return el('div', {class: 'view fill'}, el('div', {class: 'tools'}, tools), this.tip, this.element);
	}

	// Boxes have id, index, cost and what else step() needs.
	show(drawing, boxes) {
		this.boxes = boxes;
		this.element.replaceChildren(drawing);
		this.activate(this.active && boxes.find(item => item.key === this.active.key) || null);
		if (!boxes.some(item => item.cost > 0))
			this.tip.textContent = `Nothing to show: no ${choice.measure.name} above 0 is in this picture.`;
	}

	// The same of shapes in an area of that size.
	showShapes(kind, width, height, shapes, boxes) {
		this.show(svg('svg', {class: kind, width, height, viewBox: `0 0 ${width} ${height}`}, shapes), boxes);
	}

	activate(item) {
		const before = this.element.querySelector('.box.active');
		if (before)
			before.classList.remove('active');
		this.active = item;
		if (!item) {
			this.element.removeAttribute('aria-activedescendant');
			this.tip.textContent = '';
			return;
		}
		const node = document.getElementById(item.id);
		node.classList.add('active');
		this.element.setAttribute('aria-activedescendant', item.id);
		this.tip.textContent = node.dataset.help.split('\n').slice(0, 3).join('  \u00b7  ');
		const box = node.getBoundingClientRect();
		const view = this.element.getBoundingClientRect();
		if (box.bottom > view.bottom || box.top < view.top)
			this.element.scrollTop += box.top - view.top - view.height / 2;
	}

	key(event) {
		const actions = {Enter: this.onEnter, o: this.onOpen, Escape: this.onEscape};
		if (event.altKey || event.ctrlKey || event.metaKey)
			return;
		if (event.key.startsWith('Arrow')) {
			const next = this.active ? this.step(this.active, event.key) : this.boxes[0];
			if (next)
				this.activate(next);
		} else if (event.key in actions && actions[event.key] && (this.active || event.key === 'Escape')) {
			actions[event.key](this.active);
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}

	click(event, action) {
		const node = event.target.closest('.box');
		const item = node && this.boxes.find(candidate => candidate.id === node.id);
		if (!item)
			return;
		this.activate(item);
		if (action)
			action(item);
	}
}

// The box next to one in a direction: the nearest whose middle is that way.
function neighbour(boxes, from, key) {
	const [dx, dy] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[key];
	let best = null;
	let least = Infinity;
	for (const item of boxes) {
		const along = (item.cx - from.cx) * dx + (item.cy - from.cy) * dy;
		const across = Math.abs((item.cx - from.cx) * dy) + Math.abs((item.cy - from.cy) * dx);
		if (along > 1 && along + 2 * across < least) {
			least = along + 2 * across;
			best = item;
		}
	}
	return best;
}

// -- flame graph --

// The flame graph: each box is a function called by the one it is on, as wide as its cost.

const FLAME_MODES = [
	['', 'callees, hanging down'], ['flames', 'callees, as flames'], ['callers', 'callers of what costs'],
];

const flameView = {
	key: 'flame', title: 'Flame graph',

	build() {
		this.picture = new Picture({
			label: 'Flame graph. Arrows go through it, Enter zooms, o opens the function, Escape zooms out.',
			step: (item, key) => this.step(item, key),
			onEnter: item => this.zoom(item),
			onOpen: item => item.index >= 0 && openFunction(item.index),
			onEscape: () => go({zoom: '', find: ''}),
		});
		this.search = el('input', {
			type: 'search', placeholder: 'Highlight', 'aria-label': 'Highlight functions',
			oninput: () => go({find: this.search.value}, true),
			onkeydown: event => event.key === 'Escape' && (go({find: ''}, true), this.picture.element.focus()),
		});
		this.tools = el('span', {class: 'group'});
		this.note = el('span', {class: 'status', role: 'status'});
		return this.picture.view('flame', () => this.update(), this.tools, this.search, this.note);
	},

	zoom(item) {
		go({zoom: this.tree.path(item.node).join('.')});
	},

	step(item, key) {
		const down = (key === 'ArrowDown') === (get('flip') !== 'flames');
		if (key === 'ArrowLeft' || key === 'ArrowRight')
			return neighbour(this.picture.boxes.filter(other => other.depth === item.depth), item, key);
		if (down)
			return this.picture.boxes.find(other => this.tree.parent[other.node] === item.node && other !== item);
		return this.picture.boxes.find(other => other.node === this.tree.parent[item.node] && other !== item);
	},

	update() {
		const width = this.picture.element.clientWidth - 4;
		if (width < 50)
			return;
		const tree = this.tree = treeFor(get('flip') === 'callers');
		const top = get('zoom') ? tree.find(get('zoom').split('.').map(Number)) : 0;
		const words = get('find').toLowerCase();
		if (this.search.value !== get('find'))
			this.search.value = get('find');
		this.tools.replaceChildren(select('Show', FLAME_MODES, get('flip'), value => go({flip: value, zoom: ''})),
			button({disabled: !top, onclick: () => go({zoom: ''})}, 'Zoom out'));
		const boxes = this.layout(tree, top, width);
		const depth = boxes.reduce((most, item) => Math.max(most, item.depth), 0) + 1;
		const high = PHONE.matches ? TOUCHED : 20;
		const height = depth * high;
		const names = choice.profile.functions.names;
		let matched = 0;
		const matches = index => index >= 0 && searched(names[index]).toLowerCase().includes(words);
		for (const item of boxes) {
			item.y = get('flip') === 'flames' ? height - (item.depth + 1) * high : item.depth * high;
			item.cx = item.x + item.width / 2;
			item.cy = item.y;
			item.matched = words !== '' && matches(item.index);
			// Each cost once: not again of a function within one that matched.
			if (item.matched && !(item.above && item.above.within))
				matched += item.cost;
			item.within = item.matched || Boolean(item.above && item.above.within);
		}
		this.picture.showShapes('flame', width, height, boxes.map(item => box({
			...item, height: high, dim: words !== '' && !item.matched,
			text: item.index < 0 ? (item.node ? '(folded)' : 'all') : names[item.index],
			tip: boxTip(item.index, item.cost, this.changeOf(tree, item.node)),
			colour: item.node && this.isCompared(tree) ? changeClass(item.cost, tree.totalBefore[item.node]) : '',
			classes: item.depth < tree.depth[top] ? 'above' : '',
		})), boxes);
		this.say(tree, words, matched);
	},

	// Chains of calls have changes of their own if both profiles have a tree.
	isCompared(tree) {
		return tree.totalBefore !== null && olderProfile() !== null;
	},

	changeOf(tree, node) {
		if (!this.isCompared(tree))
			return '';
		const [now, before] = [tree.total[node], tree.totalBefore[node]];
		return `\n\u0394 of this chain ${change(now - before)}, was ${count(before)}`;
	},

	// Boxes are as wide as the newer costs: what is gone has none.
	gone(tree) {
		let sum = 0;
		for (let node = 1; node < tree.parent.length; node++) {
			const isFirst = !tree.parent[node] || tree.total[tree.parent[node]] > 0;
			if (tree.total[node] === 0 && isFirst)
				sum += tree.totalBefore[node];
		}
		return sum;
	},

	changeRemark(tree) {
		if (!this.isCompared(tree))
			return ' Colours: dearer red, cheaper green, by the self cost of the function wherever it was called' +
				(olderProfile() ? ': both profiles have chains only if each has a call tree.' : '.');
		const gone = this.gone(tree);
		return ' Colours: dearer red, cheaper green, each chain by itself' +
			(gone > 0 ? `; chains that are gone cost ${count(gone)} ${choice.measure.name}.` : '.');
	},

	say(tree, words, matched) {
		const folded = sumOf(tree.self, (cost, node) => node && tree.function[node] < 0 ? cost : 0);
		const how = tree.exact ? 'Exact: every chain of calls was recorded' + (folded > 0 ?
			`; ${percent(folded, totalOfParts())} are in chains too cheap to be here one by one, \u201c(folded)\u201d.` : '.') :
			'Derived: of this event, calls between pairs of functions are known; costs are spread over callers ' +
			'in proportion. Record chains with --call-tree=yes.';
		this.note.classList.toggle('warning', !tree.exact);
		this.note.textContent = (words ? `Highlighted: ${percent(matched, totalOfParts())}. ` : '') + how +
			(choice.older ? this.changeRemark(tree) : ` Colours: by ${colouringFor().by}.`) +
			(choice.part ? ' All parts together.' : '');
	},

	// Boxes from the root; those above the zoomed node are as wide as the picture.
	layout(tree, top, width) {
		const boxes = [];
		const chain = [top];
		while (chain[0] > 0)
			chain.unshift(tree.parent[chain[0]]);
		let above = null;
		const add = (node, x, wide, upper) => {
			const item = {node, key: node, id: `f${node}`, x, width: wide, depth: tree.depth[node],
				index: tree.function[node], cost: tree.total[node], above: upper};
			boxes.push(item);
			return item;
		};
		for (const node of chain)
			above = add(node, 0, width, above);
		const scale = width / (tree.total[top] || 1);
		const waiting = [above];
		while (waiting.length) {
			const parent = waiting.pop();
			let x = parent.x;
			for (const child of tree.children[parent.node]) {
				const wide = tree.total[child] * scale;
				// The children are ordered by cost: none of the others is in sight.
				if (wide < 1)
					break;
				waiting.push(add(child, x, wide, parent));
				x += wide;
			}
		}
		return boxes;
	},
};

// -- call graph --

// The call graph around a function: callers to its left, callees to its right, arcs as thick as they cost.
// Layers by the distance from the function, within a layer ordered by where the arcs come from.
// On a phone the layers are below each other.
const GRAPH_BOX = {least: 150, leastUpright: 104, most: 340, height: 40};
// Between layers, and within them: at least, and with room to spare.
const GRAPH_GAP = {
	apart: [110, 220], apartChanged: [150, 220], below: [14, 70], apartUpright: [58, 90], belowUpright: [12, 40],
};
const LOOP_ROOM = 26;
// The least scale at which names can be read.
const READABLE = 0.6;
const LABEL = {wide: 6.1, high: 12};

const graphView = {
	key: 'graph', title: 'Call graph',

	build() {
		this.picture = new Picture({
			label: 'Call graph. Arrows go through it, Enter moves it to the function, o opens the function, + - 0 zoom.',
			onEnter: item => go(functionKeys(item.index)),
			onOpen: item => openFunction(item.index),
		});
		this.picture.element.addEventListener('wheel', event => this.wheel(event));
		this.tools = el('span', {class: 'group'});
		this.note = el('span', {class: 'status'});
		return this.picture.view('graph', () => this.update(), this.tools, this.note);
	},

	update() {
		const centre = functionToShow();
		if (centre < 0 || this.picture.element.clientWidth < 50)
			return;
		const levels = Math.min(4, Math.max(1, Math.floor(Number(get('levels'))) || (PHONE.matches ? 1 : 2)));
		const least = Number(get('least') || 1);
		this.tools.replaceChildren(
			select('Calls away', [['1', '1'], ['2', '2'], ['3', '3'], ['4', '4']], String(levels),
				value => go({levels: value})),
			select('Arcs of at least', [['0', 'all'], ['0.1', '0.1 %'], ['1', '1 %'], ['5', '5 %'], ['10', '10 %']],
				String(least), value => go({least: value})),
			el('span', {class: 'group zoom', role: 'group', 'aria-label': 'Zoom'},
				[['+', 'Larger (+)'], ['-', 'Smaller (-)'], ['0', 'All of it (0)']].map(([key, help]) => button({
					'aria-label': help, help, onclick: () => this.zoomKey(key),
				}, {'+': '+', '-': '\u2212', 0: '\u2922'}[key]))));
		const room = {
			width: this.picture.element.clientWidth - 4, height: this.picture.element.clientHeight - 6,
			upright: PHONE.matches,
		};
		// How much there is to be seen is as was chosen, or as much as there is room for.
		const graph = get('levels') || get('least') ? new LayeredGraph(centre, levels, least / 100, room) :
			graphWithin(room, centre, levels, least / 100);
		const again = graph.arcs.some(arc => arc.again);
		const left = graph.left === 1 ? '1 cheaper function is not shown' : `${graph.left} cheaper functions are not shown`;
		this.note.textContent = [unknownFunction(), `Around ${shortName(choice.profile.functions.names[centre], 60)}; ` +
			(graph.left ? left : 'all of them are shown'),
		again ? '\u21ba dashed: within a recursion, where inner calls are counted in outer ones, too, and are no shares' : '',
		olderProfile() ? 'Colours: dearer red, cheaper green; boxes by self cost, arcs by call cost' : '',
		choice.part ? `All parts, not ${choice.part.name} alone, as of one part no costs of calls are known` : '',
		].filter(Boolean).join('. ') + '.';
		const key = [centre, levels, least, PHONE.matches].join(' ');
		if (key !== this.drawn)
			this.scale = null;
		this.drawn = key;
		this.draw(graph);
	},

	draw(graph) {
		const {names} = choice.profile.functions;
		// Arcs are known only for all parts together, so boxes are, too.
		const {functions: f} = choice.profile;
		const [inclusive, self] = [f.inclusive, f.self].map(costs => choice.measure.column(costs));
		const whole = totalOfParts();
		const boxes = graph.nodes.map(node => ({
			id: `g${node.index}`, key: node.index, index: node.index, cost: inclusive[node.index],
			x: node.x, y: node.y, cx: node.x + graph.boxWidth / 2, cy: node.y, width: graph.boxWidth,
			height: GRAPH_BOX.height, text: names[node.index], classes: node.layer === 0 ? 'centre' : '',
			tip: boxTip(node.index, inclusive[node.index]),
		}));
		graph.arcs.forEach(arc => arc.curves = this.course(arc, graph));
		const labels = new Labels(boxes);
		this.graph = graph;
		this.drawing = svg('svg', {class: 'graph', viewBox: `0 0 ${graph.width} ${graph.height}`},
			svg('defs', {}, ['arc', 'even', 'worse', 'better'].map(kind => this.arrowHead(kind))),
			graph.arcs.map(arc => this.arc(arc)),
			boxes.map(item => {
				const group = box(item);
				group.append(svg('text', {class: 'share', x: item.x + 4, y: item.y + 31},
					choice.measure.isOwn ? `self ${percent(self[item.index], whole)}` :
						percent(item.cost, whole) + (graph.boxWidth < 140 ? '' : `, self ${percent(self[item.index], whole)}`)));
				return group;
			}),
			[...graph.arcs].sort((a, b) => b.cost - a.cost).map(arc => this.label(arc, labels)));
		this.picture.show(this.drawing, boxes);
		const scale = this.whole();
		this.zoom(this.scale === null ? (scale < READABLE ? 0.75 : scale) : this.scale, this.scale !== null);
		const centre = boxes.find(item => item.classes === 'centre');
		const {element} = this.picture;
		if (this.scale === null) {
			element.scrollLeft = centre.cx * this.shownScale - element.clientWidth / 2;
			element.scrollTop = centre.cy * this.shownScale - element.clientHeight / 2;
		}
	},

	// The scale at which all of it is in sight.
	whole() {
		const {clientWidth, clientHeight} = this.picture.element;
		return wholeScale(this.graph, {width: clientWidth - 4, height: clientHeight - 6});
	},

	zoom(scale, stays = true) {
		this.shownScale = Math.max(0.1, Math.min(4, scale));
		if (stays)
			this.scale = this.shownScale;
		this.drawing.setAttribute('width', this.graph.width * this.shownScale);
		this.drawing.setAttribute('height', this.graph.height * this.shownScale);
	},

	zoomKey(key) {
		const {clientWidth, clientHeight} = this.picture.element;
		if (key === '0')
			this.zoom(this.whole());
		else
			this.zoomAround(key === '-' ? 1 / 1.25 : 1.25, clientWidth / 2, clientHeight / 2);
	},

	// What is there stays there.
	zoomAround(factor, x, y) {
		const {element} = this.picture;
		const before = this.shownScale;
		this.zoom(before * factor);
		const by = this.shownScale / before;
		element.scrollLeft = (element.scrollLeft + x) * by - x;
		element.scrollTop = (element.scrollTop + y) * by - y;
	},

	// Pinching a touch pad is a wheel with ctrl, too.
	wheel(event) {
		if (!event.ctrlKey)
			return;
		event.preventDefault();
		const around = this.picture.element.getBoundingClientRect();
		this.zoomAround(Math.exp(-event.deltaY / 300), event.clientX - around.left, event.clientY - around.top);
	},

	arrowHead(kind) {
		return svg('marker', {id: `tip-of-${kind}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8,
			markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto'}, svg('path', {d: 'M 0 0 L 8 4 L 0 8 z'}));
	},

	arc(arc) {
		// One that is gone is as thick as it was.
		const share = arc.again ? 0 : arc.weight / (totalOfParts() || 1);
		const changed = olderProfile() ? changeClass(arc.cost, arc.before) : '';
		const points = arc.curves.map(curve => curve.slice(1).map(point => point.join(' ')));
		return svg('path', {
			class: `arc ${changed} ${arc.countBefore && !arc.count ? 'gone' : ''} ${arc.again ? 'again' : ''}`,
			'marker-end': `url(#tip-of-${changed.replace(/\d/, '') || 'arc'})`,
			d: `M ${arc.curves[0][0].join(' ')}` + points.map(curve => ` C ${curve.join(' ')}`).join(''),
			'stroke-width': (1 + 7 * Math.sqrt(Math.min(1, share))).toFixed(1),
			help: `${choice.profile.functions.names[arc.from.index]}\n\u2192 ` +
				`${choice.profile.functions.names[arc.to.index]}\n${count(arc.cost)} ${choice.measure.name}, ` +
				(arc.again ? '' : `${percent(arc.cost, totalOfParts())}, `) + `in ${count(arc.count)} calls${ofAllParts()}` +
				this.changeOf(arc) + (arc.again ? `\n${recursionHelp(arc.from.index, arc.to.index)}` : ''),
		});
	},

	changeOf(arc) {
		const older = olderProfile();
		return older ? `\n\u0394 ${change(arc.cost - arc.before)} since ${older.title}, where it was ` +
			`${count(arc.before)} in ${count(arc.countBefore)} calls` : '';
	},

	// From box to box through the gaps between others, as curves of four points; a call of itself is a loop.
	course({from, to, via}, graph) {
		const at = (along, across) => graph.upright ? [across, along] : [along, across];
		const place = node => graph.upright ? [node.y, node.x + graph.boxWidth / 2] :
			[node.x, node.y + GRAPH_BOX.height / 2];
		const length = graph.upright ? GRAPH_BOX.height : graph.boxWidth;
		if (from === to) {
			const x = from.x + graph.boxWidth - 34;
			return [[[x, from.y], [x + 2, from.y - 22], [x + 26, from.y - 22], [x + 24, from.y - 1]]];
		}
		const [begin, end] = [place(from), place(to)];
		// Back: through the gap between the layers, too, and within a layer around it.
		if (end[0] <= begin[0]) {
			const same = end[0] === begin[0];
			const [start, stop] = [begin[0] + (same ? length : 0), end[0] + length];
			const bend = same ? 40 : (start - stop) / -2;
			return [[at(start, begin[1] + 9), at(start + bend, begin[1] + 9), at(stop + (same ? bend : -bend), end[1] + 9),
				at(stop + 1, end[1] + 9)]];
		}
		const curves = [];
		let [along, across] = [begin[0] + length, begin[1]];
		for (const stop of [...via, to]) {
			const [next, side] = place(stop);
			const bend = (next - along) * 0.45;
			curves.push([at(along, across), at(along + bend, across), at(next - bend, side),
				at(stop === to ? next - 1 : next, side)]);
			if (stop !== to)
				curves.push([at(next, side), at(next, side), at(next + length, side), at(next + length, side)]);
			[along, across] = [next + length, side];
		}
		return curves;
	},

	label(arc, labels) {
		const text = (arc.again ? '\u21ba ' : `${percent(arc.cost, totalOfParts())} \u00b7 `) +
			`${shortCount(arc.count)}\u00d7` +
			(arc.cost === arc.before ? '' : ` \u00b7 \u0394 ${shortChange(arc.cost - arc.before)}`);
		const {x, y} = arc.from === arc.to ?
			labels.put(text, [[arc.curves[0][0][0] - 4 - text.length * LABEL.wide / 2, arc.from.y - 5]]) :
			labels.put(text, placesOf(arc.curves));
		return svg('text', {class: 'cost', x: x.toFixed(1), y: y.toFixed(1), 'text-anchor': 'middle'}, text);
	},
};

// Where a label may be: above and below a curve, from its middle outwards.
function placesOf(curves) {
	const places = [];
	for (const t of [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8])
		for (const curve of curves) {
			const s = 1 - t;
			const weights = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
			const [x, y] = [0, 1].map(axis => sumOf(curve, (point, i) => point[axis] * weights[i]));
			places.push([x, y - 5], [x, y + 13]);
		}
	return places;
}

// Labels that are neither on boxes nor on each other, where there is room for that.
class Labels {
	constructor(boxes) {
		this.taken = boxes.map(({x, y, width, height}) => ({x, y, width, height}));
	}

	put(text, places) {
		const width = text.length * LABEL.wide + 6;
		let best = null;
		for (const [x, y] of places) {
			const area = {x: x - width / 2, y: y - LABEL.high + 3, width, height: LABEL.high};
			const cover = sumOf(this.taken, other => common(area, other));
			if (!best || cover < best.cover)
				best = {x, y, area, cover};
			if (cover === 0)
				break;
		}
		this.taken.push(best.area);
		return best;
	}
}

// The area that two have in common.
function common(a, b) {
	return Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
		Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));
}

// The scale at which all of it is in sight.
function wholeScale(graph, room) {
	return Math.min(1, room.width / graph.width, room.height / graph.height);
}

// As many of the most expensive functions as can be read when all of the graph is in sight.
function graphWithin(room, centre, levels, share) {
	const all = new LayeredGraph(centre, levels, share, room);
	if (wholeScale(all, room) >= READABLE)
		return all;
	const costs = all.nodes.map(node => node.cost).sort((a, b) => a - b);
	let [low, high] = [0, costs.length - 1];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (wholeScale(new LayeredGraph(centre, levels, share, room, costs[middle]), room) >= READABLE)
			high = middle;
		else
			low = middle + 1;
	}
	const graph = new LayeredGraph(centre, levels, share, room, costs[low]);
	graph.left = all.left + all.nodes.length - graph.nodes.length;
	return graph;
}

class LayeredGraph {
	// room: {width, height, upright}, what there is of it, and whether layers are below each other; functions whose
	// calls cost less than floor are left out.
	constructor(centre, levels, share, room, floor = 0) {
		this.floor = floor;
		this.room = room;
		this.upright = room.upright;
		this.byIndex = new Map();
		this.nodes = [];
		this.left = 0;
		this.arcTable = choice.profile.arcs;
		this.costs = choice.measure.column(this.arcTable.costs);
		this.older = olderProfile();
		this.before = this.older ? choice.measure.column(this.older.arcs.costs) : this.costs;
		// Arcs are of all parts.
		const inclusive = choice.measure.at(choice.profile.functions.inclusive, centre);
		this.least = Math.max(inclusive, this.older ? choice.measure.at(this.older.inclusive, centre) : 0) * share;
		this.add(centre, 0, Infinity);
		for (const direction of [-1, 1])
			for (let layer = 0; Math.abs(layer) < levels; layer += direction)
				this.grow(layer, direction);
		this.arcs = this.collectArcs();
		this.straighten(levels);
		this.place();
	}

	add(index, layer, cost) {
		const node = {index, layer, cost, order: 0};
		this.byIndex.set(index, node);
		this.nodes.push(node);
	}

	// What an arc is judged by: one that is gone is part of the picture, too.
	weight(arc) {
		return Math.max(this.costs[arc], this.before[arc]);
	}

	// Adds the callers (-1) or callees (1) of a layer, the most expensive first.
	grow(layer, direction) {
		const found = new Map();
		for (const node of this.nodes.filter(item => item.layer === layer)) {
			const {arcTable} = this;
			const arcs = direction < 0 ? arcTable.into(node.index) : arcTable.outOf(node.index);
			for (const arc of arcs) {
				const other = (direction < 0 ? arcTable.from : arcTable.to)[arc];
				if (!this.byIndex.has(other))
					found.set(other, (found.get(other) || 0) + this.weight(arc));
			}
		}
		const order = [...found].sort((a, b) => b[1] - a[1]);
		order.forEach(([index, cost], i) => {
			if (cost >= this.least && cost >= this.floor && cost > 0 && i < 14)
				this.add(index, layer + direction, cost);
			else
				this.left++;
		});
	}

	collectArcs() {
		const arcs = [];
		for (const from of this.nodes)
			for (const arc of this.arcTable.outOf(from.index)) {
				const to = this.byIndex.get(this.arcTable.to[arc]);
				if (to && this.weight(arc) >= this.least)
					arcs.push({from, to, cost: this.costs[arc], count: this.arcTable.count[arc], weight: this.weight(arc),
						before: this.before[arc], countBefore: this.older ? this.older.arcs.count[arc] : 0,
						again: isRecursive(from.index, to.index)});
			}
		return arcs;
	}

	// Who calls another node of its side goes further out, so that arcs point to the right; not in cycles, where that
	// would never end.
	straighten(levels) {
		for (let round = 0; round < 2 * levels; round++)
			for (const {from, to} of this.arcs) {
				if (from === to || from.layer < to.layer || from.layer * to.layer <= 0)
					continue;
				if (from.layer < 0 && from.layer > -2 * levels)
					from.layer = to.layer - 1;
				else if (to.layer > 0 && to.layer < 2 * levels)
					to.layer = from.layer + 1;
			}
	}

	// A few rounds of putting each node at the middle of those it has arcs with.
	place() {
		const keys = [...new Set(this.nodes.map(node => node.layer))].sort((a, b) => a - b);
		const columnOf = new Map(keys.map((key, i) => [key, i]));
		const stops = this.addStops(keys, columnOf);
		const layers = new Map(keys.map(key => [key, []]));
		for (const node of [...this.nodes, ...stops])
			layers.get(node.layer).push(node);
		const spread = list => list.forEach((node, i) => node.order = i - (list.length - 1) / 2);
		layers.forEach(spread);
		for (let round = 0; round < 4; round++)
			for (const key of [...keys].sort((a, b) => Math.abs(a) - Math.abs(b))) {
				const list = layers.get(key);
				list.forEach(node => node.wish = this.middle(node));
				list.sort((a, b) => a.wish - b.wish);
				spread(list);
			}
		const most = [...layers.values()].reduce((a, list) => Math.max(a, list.length), 0);
		this.spread([...this.nodes, ...stops], columnOf, keys.length, most);
	}

	// Boxes and gaps grow with the room available; what needs less is in its middle.
	spread(nodes, columnOf, columns, most) {
		const {names} = choice.profile.functions;
		const {width, height} = this.room;
		const wish = this.nodes.reduce((a, node) => Math.max(a, Math.min(names[node.index].length, 60) * 6.6 + 10), 0);
		const widest = Math.max(190, Math.min(GRAPH_BOX.most, wish));
		const loops = this.arcs.some(arc => arc.from === arc.to) ? LOOP_ROOM : 0;
		// How large gaps get if count boxes of that length share the room.
		const gap = (count, room, length, [least, greatest]) => count < 2 ? least :
			Math.max(least, Math.min(greatest, (room - count * length) / (count - 1)));
		const narrow = this.upright ? GRAPH_BOX.leastUpright : GRAPH_BOX.least;
		const fit = (count, room, least) => Math.max(narrow, Math.min(widest, (room - (count - 1) * least) / count));
		let [along, across] = [0, 0];
		if (this.upright) {
			this.boxWidth = fit(most, width - 16, GRAPH_GAP.belowUpright[0]);
			across = this.boxWidth + gap(most, width - 16, this.boxWidth, GRAPH_GAP.belowUpright);
			along = GRAPH_BOX.height + gap(columns, height - 40, GRAPH_BOX.height, GRAPH_GAP.apartUpright);
		} else {
			const apart = this.older ? GRAPH_GAP.apartChanged : GRAPH_GAP.apart;
			this.boxWidth = fit(columns, width - 20, apart[0]);
			along = this.boxWidth + gap(columns, width - 20, this.boxWidth, apart);
			const least = Math.max(GRAPH_GAP.below[0], loops);
			across = GRAPH_BOX.height + gap(most, height - 40, GRAPH_BOX.height, [least, GRAPH_GAP.below[1]]);
		}
		const used = this.upright ? [across * (most - 1) + this.boxWidth, along * (columns - 1) + GRAPH_BOX.height] :
			[along * (columns - 1) + this.boxWidth, across * (most - 1) + GRAPH_BOX.height];
		this.width = Math.max(width, used[0] + 16);
		this.height = Math.max(height, used[1] + 2 * LOOP_ROOM + 8);
		for (const node of nodes) {
			const [a, b] = [columnOf.get(node.layer) * along, node.order * across];
			node.x = this.upright ? (this.width - this.boxWidth) / 2 + b : (this.width - used[0]) / 2 + a;
			node.y = this.upright ? (this.height - used[1]) / 2 + a : (this.height - GRAPH_BOX.height) / 2 + b;
		}
	}

	// Arcs that pass over layers have a place in each of them, so that they go around what is there.
	addStops(keys, columnOf) {
		const stops = [];
		for (const arc of this.arcs) {
			const [first, last] = [columnOf.get(arc.from.layer), columnOf.get(arc.to.layer)];
			arc.via = [];
			for (let column = first + 1; column < last; column++)
				arc.via.push({layer: keys[column], order: 0});
			stops.push(...arc.via);
			const chain = [arc.from, ...arc.via, arc.to];
			for (let i = 1; i < chain.length; i++)
				for (const [node, other] of [[chain[i - 1], chain[i]], [chain[i], chain[i - 1]]])
					(node.pieces = node.pieces || []).push({other, cost: arc.cost});
		}
		return stops;
	}

	middle(node) {
		let sum = 0;
		let weight = 0;
		for (const {other, cost} of node.pieces || [])
			if (other.layer !== node.layer) {
				sum += other.order * (cost + 1);
				weight += cost + 1;
			}
		return weight ? sum / weight : node.order;
	}
}

// -- tree map --

// The tree map: areas are self costs, of objects, in them source files, in them functions.

const MAP_TITLE = 16;
// More could not be told from each other.
const MAP_BOXES = 4000;

// Squarified (Bruls, Huizing and van Wijk, 2000): rows of boxes as near to squares as they can be.
// items are [{cost}], the largest first; calls put(item, x, y, width, height).
function squarify(items, area, put) {
	let {x, y, width, height} = area;
	let sum = sumOf(items, item => item.cost);
	let first = 0;
	while (first < items.length && sum > 0 && width > 0.5 && height > 0.5) {
		const side = Math.min(width, height);
		const scale = width * height / sum;
		let row = 0;
		let worst = Infinity;
		let last = first;
		for (; last < items.length; last++) {
			const next = row + items[last].cost;
			const length = next * scale / side;
			const ratio = Math.max(length / (items[last].cost * scale / length),
				items[first].cost * scale / length / length);
			if (ratio > worst)
				break;
			worst = ratio;
			row = next;
		}
		const length = row * scale / side;
		let offset = 0;
		for (let i = first; i < last; i++) {
			const part = items[i].cost / row * side;
			if (width >= height)
				put(items[i], x, y + offset, length, part);
			else
				put(items[i], x + offset, y, part, length);
			offset += part;
		}
		if (width >= height)
			[x, width] = [x + length, width - length];
		else
			[y, height] = [y + length, height - length];
		sum -= row;
		first = last;
	}
}

// The share goes with the name only where the whole name fits, too.
function withShare(item, width) {
	const text = `${item.text}  ${percent(item.cost, total())}`;
	return text.length * 6.6 < width - 8 ? text : item.text;
}

// What a frame is and costs, in that many letters: a number is whole or not there, names become shorter.
function frameTitle(item, room) {
	const share = `  ${percent(item.cost, total())}`;
	const numbers = [share + (item.change ? `  \u0394 ${shortChange(item.change)}` : ''), share];
	const fits = numbers.find(text => room - text.length >= Math.min(item.text.length, 8));
	return fits ? shorten(item.text, room - fits.length) + fits : shorten(item.text, room);
}

// Frames what is in it, with a title if there is one; returns what area is left.
function mapFrame(shapes, level, title, x, y, w, h) {
	shapes.push(svg('rect', {class: `frame level${level}`, x: x + 1, y: y + 1,
		width: Math.max(0, w - 2), height: Math.max(0, h - 2)}));
	if (title)
		shapes.push(svg('text', {class: 'frame-title', x: x + 5, y: y + 12}, title));
	const top = title ? MAP_TITLE : 2;
	return {x: x + 2, y: y + top, width: w - 4, height: h - top - 2};
}

const mapView = {
	key: 'map', title: 'Tree map',

	build() {
		this.picture = new Picture({
			label: 'Tree map of self costs. Arrows go through it, Enter opens the function.',
			onEnter: item => openFunction(item.index), onOpen: item => openFunction(item.index),
		});
		this.note = el('span', {class: 'status'});
		return this.picture.view('map', () => this.update(), this.note);
	},

	// Objects with files with functions, each with its cost, the largest first.
	hierarchy() {
		const f = choice.profile.functions;
		const self = selfColumn();
		const largest = self.slice().sort();
		const least = Math.max(total() * 1e-5, largest[Math.max(0, largest.length - MAP_BOXES)]);
		const objects = new Map();
		const under = (map, key, text) => {
			if (!map.has(key))
				map.set(key, {text, cost: 0, change: 0, inner: new Map()});
			return map.get(key);
		};
		const changes = choice.older ? changeColumn('self') : null;
		let left = 0;
		let gone = 0;
		for (let i = 0; i < f.length; i++) {
			if (self[i] <= least) {
				left += self[i] > 0 ? 1 : 0;
				gone -= changes && self[i] === 0 ? changes[i] : 0;
				continue;
			}
			const object = under(objects, f.object[i], baseName(f.objectOf(i)) || '(unknown object)');
			const file = under(object.inner, f.file[i], fileName(f.fileOf(i)));
			for (const frame of [object, file]) {
				frame.cost += self[i];
				frame.change += changes ? changes[i] : 0;
			}
			file.inner.set(i, {index: i, text: f.names[i], cost: self[i]});
		}
		this.note.textContent = `Self ${choice.measure.name} by object, source file and function` +
			(left ? `; ${count(left)} functions are too cheap to see.` : '.') +
			(changes ? ' Colours: dearer red, cheaper green. \u0394 of frames is of what is in them' : '') +
			(gone > 0 ? `; functions that cost nothing any more cost ${count(gone)} before.` : changes ? '.' : '');
		return objects;
	},

	update() {
		const {clientWidth: width, clientHeight: height} = this.picture.element;
		if (width < 50 || height < 50)
			return;
		const shapes = [];
		const boxes = [];
		const ordered = map => [...map.values()].sort((a, b) => b.cost - a.cost);
		const frame = (item, x, y, w, h, level) => {
			const room = Math.floor((w - 8) / 6.6);
			return mapFrame(shapes, level, room > 4 && h > 2 * MAP_TITLE ? frameTitle(item, room) : '', x, y, w, h);
		};
		squarify(ordered(this.hierarchy()), {x: 0, y: 0, width: width - 4, height: height - 6}, (object, ...place) =>
			squarify(ordered(object.inner), frame(object, ...place, 0), (file, ...inner) =>
				squarify(ordered(file.inner), frame(file, ...inner, 1), (item, x, y, w, h) => {
					if (w < 1.5 || h < 1.5)
						return;
					const entry = {...item, id: `m${item.index}`, key: item.index, cx: x + w / 2, cy: y + h / 2,
						x, y, width: w, height: h};
					boxes.push(entry);
					shapes.push(box({...entry, text: h > 14 ? withShare(item, w) : '', tip: boxTip(item.index, item.cost)}));
				})));
		this.picture.showShapes('map', width - 4, height - 6, shapes, boxes);
	},
};
