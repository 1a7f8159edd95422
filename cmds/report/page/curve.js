// SPDX-License-Identifier: GPL-3.0-or-later
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

// A bar for each size, of the function alone, or else of what it calls, too; behind the largest that a level of the
// machine holds stands a line.  null if there is nothing to show.
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
