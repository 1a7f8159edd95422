// SPDX-License-Identifier: GPL-3.0-or-later
// The call graph around a function: callers to its left, callees to its right, arcs as thick as they cost.
// Layers by the distance from the function, within a layer ordered by where the arcs come from.

const GRAPH_BOX = {width: 190, height: 40, apart: 110, below: 14};

const graphView = {
	key: 'graph', title: 'Call graph',

	build() {
		this.picture = new Picture({
			label: 'Call graph. Arrows go through it, Enter moves it to the function, o opens the function.',
			step: (item, key) => neighbour(this.picture.boxes, item, key),
			onEnter: item => go(functionKeys(item.index)),
			onOpen: item => openFunction(item.index),
		});
		this.tools = el('span', {class: 'group'});
		this.note = el('span', {class: 'status'});
		return el('div', {class: 'view fill'}, el('div', {class: 'tools'}, this.tools, this.note),
			this.picture.tip, this.picture.element);
	},

	update() {
		let centre = chosenFunction();
		if (centre < 0)
			centre = argMax(selfColumn());
		if (centre < 0)
			return;
		const levels = Number(get('levels') || 2);
		const least = Number(get('least') || 1);
		this.tools.replaceChildren(
			select('Calls away', [['1', '1'], ['2', '2'], ['3', '3'], ['4', '4']], String(levels), value => go({levels: value})),
			select('Arcs of at least', [['0', 'all'], ['0.1', '0.1 %'], ['1', '1 %'], ['5', '5 %'], ['10', '10 %']],
				String(least), value => go({least: value})));
		const graph = new LayeredGraph(centre, levels, least / 100);
		const name = choice.profile.functions.names[centre];
		this.note.textContent = `Around ${shorten(name, 60)}; ` +
			(graph.left ? `${graph.left} cheaper functions are not shown.` : 'all of them are shown.') +
			(olderProfile() ? ' Colours: dearer red, cheaper green; boxes by self cost, arcs by that of the calls.' : '') +
			(choice.part ? ` Functions: of ${choice.part.name}; arcs: all parts.` : '');
		this.draw(graph);
	},

	draw(graph) {
		const {names} = choice.profile.functions;
		const inclusive = inclusiveColumn();
		const boxes = graph.nodes.map(node => ({
			id: `g${node.index}`, key: node.index, index: node.index, cost: inclusive[node.index],
			x: node.x, y: node.y, cx: node.x + GRAPH_BOX.width / 2, cy: node.y, width: GRAPH_BOX.width,
			height: GRAPH_BOX.height, text: names[node.index], classes: node.layer === 0 ? 'centre' : '',
			tip: boxTip(node.index, inclusive[node.index]),
		}));
		const drawing = svg('svg', {class: 'graph', width: graph.width, height: graph.height},
			svg('defs', {}, ['arc', 'even', 'worse', 'better'].map(kind => this.arrowHead(kind))),
			graph.arcs.map(arc => this.arc(arc)),
			boxes.map(item => {
				const group = box(item);
				group.append(svg('text', {class: 'share', x: item.x + 4, y: item.y + 31},
					`${percent(item.cost, total())}, self ${percent(selfColumn()[item.index], total())}`));
				return group;
			}),
			graph.arcs.map(arc => this.label(arc)));
		this.picture.show(drawing, boxes);
		const centre = boxes.find(item => item.classes === 'centre');
		this.picture.element.scrollLeft = centre.cx - this.picture.element.clientWidth / 2;
	},

	arrowHead(kind) {
		return svg('marker', {id: `tip-of-${kind}`, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 8,
			markerHeight: 8, markerUnits: 'userSpaceOnUse', orient: 'auto'}, svg('path', {d: 'M 0 0 L 8 4 L 0 8 z'}));
	},

	arc(arc) {
		// One that is gone is as thick as it was.
		const share = arc.weight / (totalOfParts() || 1);
		const changed = olderProfile() ? changeClass(arc.cost, arc.before) : '';
		return svg('path', {
			class: `arc ${changed} ${arc.countBefore && !arc.count ? 'gone' : ''}`, d: this.course(arc),
			'marker-end': `url(#tip-of-${changed.replace(/\d/, '') || 'arc'})`,
			'stroke-width': (1 + 7 * Math.sqrt(Math.min(1, share))).toFixed(1),
			'data-help': `${choice.profile.functions.names[arc.from.index]}\n\u2192 ` +
				`${choice.profile.functions.names[arc.to.index]}\n${count(arc.cost)} ${choice.measure.name}, ` +
				`${percent(arc.cost, totalOfParts())}, in ${count(arc.count)} calls${ofAllParts()}` + this.changeOf(arc),
		});
	},

	changeOf(arc) {
		const older = olderProfile();
		return older ? `\n\u0394 ${change(arc.cost - arc.before)} since ${older.title}, where it was ` +
			`${count(arc.before)} in ${count(arc.countBefore)} calls` : '';
	},

	// From box to box through the gaps between others; a call of itself is a loop.
	course({from, to, via}) {
		const half = GRAPH_BOX.height / 2;
		if (from === to)
			return `M ${from.x + GRAPH_BOX.width - 40} ${from.y} c 8 -20 34 -20 26 -1`;
		let x = from.x + GRAPH_BOX.width;
		let y = from.y + half;
		let d = `M ${x} ${y}`;
		for (const stop of [...via, to]) {
			const [nextX, nextY] = [stop.x, stop.y + half];
			const bend = nextX > x ? 50 : 90;
			const sag = nextX > x ? 0 : 60;
			d += ` C ${x + bend} ${y + sag} ${nextX - bend} ${nextY + sag} ${stop === to ? nextX - 1 : nextX} ${nextY}`;
			x = stop === to ? nextX : nextX + GRAPH_BOX.width;
			y = nextY;
			if (stop !== to)
				d += ` H ${x}`;
		}
		return d;
	},

	label(arc) {
		const next = arc.via[0] || arc.to;
		const self = arc.from === arc.to;
		const x = self ? arc.from.x + GRAPH_BOX.width - 25 : (arc.from.x + GRAPH_BOX.width + next.x) / 2;
		const y = self ? arc.from.y - 10 : (arc.from.y + next.y) / 2 + GRAPH_BOX.height / 2 - 5;
		return svg('text', {class: 'cost', x, y, 'text-anchor': 'middle'},
			`${percent(arc.cost, totalOfParts())} \u00b7 ${shortCount(arc.count)}\u00d7` +
			(arc.cost === arc.before ? '' : ` \u00b7 \u0394 ${shortChange(arc.cost - arc.before)}`));
	},
};

class LayeredGraph {
	constructor(centre, levels, share) {
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
		this.add(centre, 0);
		for (const direction of [-1, 1])
			for (let layer = 0; Math.abs(layer) < levels; layer += direction)
				this.grow(layer, direction);
		this.arcs = this.collectArcs();
		this.straighten(levels);
		this.place();
	}

	add(index, layer) {
		const node = {index, layer, order: 0};
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
			if (cost >= this.least && cost > 0 && i < 14)
				this.add(index, layer + direction);
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
						before: this.before[arc], countBefore: this.older ? this.older.arcs.count[arc] : 0});
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
		const step = GRAPH_BOX.height + GRAPH_BOX.below;
		this.height = most * step + 60;
		this.width = keys.length * (GRAPH_BOX.width + GRAPH_BOX.apart) - GRAPH_BOX.apart + 40;
		for (const node of [...this.nodes, ...stops]) {
			node.x = columnOf.get(node.layer) * (GRAPH_BOX.width + GRAPH_BOX.apart) + 10;
			node.y = this.height / 2 + node.order * step - GRAPH_BOX.height / 2;
		}
	}

	// Arcs that pass over layers have a place in each of them, so that they go around what is there.
	addStops(keys, columnOf) {
		const stops = [];
		this.pieces = [];
		for (const arc of this.arcs) {
			const [first, last] = [columnOf.get(arc.from.layer), columnOf.get(arc.to.layer)];
			arc.via = [];
			for (let column = first + 1; column < last; column++)
				arc.via.push({layer: keys[column], order: 0});
			stops.push(...arc.via);
			const chain = [arc.from, ...arc.via, arc.to];
			for (let i = 1; i < chain.length; i++)
				this.pieces.push({from: chain[i - 1], to: chain[i], cost: arc.cost});
		}
		return stops;
	}

	middle(node) {
		let sum = 0;
		let weight = 0;
		for (const {from, to, cost} of this.pieces) {
			const other = from === node ? to : to === node ? from : null;
			if (other && other.layer !== node.layer) {
				sum += other.order * (cost + 1);
				weight += cost + 1;
			}
		}
		return weight ? sum / weight : node.order;
	}
}
