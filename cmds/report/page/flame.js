// SPDX-License-Identifier: GPL-3.0-or-later
// The flame graph: each box is a function called by the one it stands on, as wide as its cost.

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
		const viewBox = `0 0 ${width} ${height}`;
		this.picture.show(svg('svg', {width, height, viewBox, class: 'flame'}, boxes.map(item => box({
			...item, height: high, dim: words !== '' && !item.matched,
			text: item.index < 0 ? (item.node ? '(folded)' : 'all') : names[item.index],
			tip: boxTip(item.index, item.cost, this.changeOf(tree, item.node)),
			colour: item.node && this.isCompared(tree) ? changeClass(item.cost, tree.totalBefore[item.node]) : '',
			classes: item.depth < tree.depth[top] ? 'above' : '',
		}))), boxes);
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
				(olderProfile() ? ': chains are known of both profiles only with a call tree of each.' : '.');
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
