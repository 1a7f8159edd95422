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

// A picture that has the focus: one of its boxes is the active one.  step(box, key) says which is next.
class Picture {
	constructor({label, step, onOpen, onEnter, onEscape}) {
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
