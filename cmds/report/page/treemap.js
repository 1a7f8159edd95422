// SPDX-License-Identifier: GPL-3.0-or-later
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

// What a frame is and costs, in so many letters: a number is whole or not there, names become shorter.
function frameTitle(item, room) {
	const share = `  ${percent(item.cost, total())}`;
	const numbers = [share + (item.change ? `  \u0394 ${shortChange(item.change)}` : ''), share];
	const fits = numbers.find(text => room - text.length >= Math.min(item.text.length, 8));
	return fits ? shorten(item.text, room - fits.length) + fits : shorten(item.text, room);
}

const mapView = {
	key: 'map', title: 'Tree map',

	build() {
		this.picture = new Picture({
			label: 'Tree map of self costs. Arrows go through it, Enter opens the function.',
			step: (item, key) => neighbour(this.picture.boxes, item, key),
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
			shapes.push(svg('rect', {class: `frame level${level}`, x: x + 1, y: y + 1,
				width: Math.max(0, w - 2), height: Math.max(0, h - 2)}));
			const room = Math.floor((w - 8) / 6.6);
			const titled = room > 4 && h > 2 * MAP_TITLE;
			if (titled)
				shapes.push(svg('text', {class: 'frame-title', x: x + 5, y: y + 12}, frameTitle(item, room)));
			const top = titled ? MAP_TITLE : 2;
			return {x: x + 2, y: y + top, width: w - 4, height: h - top - 2};
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
		this.picture.show(svg('svg', {class: 'map', width: width - 4, height: height - 6,
			viewBox: `0 0 ${width - 4} ${height - 6}`}, shapes), boxes);
	},
};
