// SPDX-License-Identifier: GPL-3.0-or-later
// Lines are compared with the older profile's by their numbers.  Where something was put in or taken out above a
// function, that compares each line with another one: it is found out by the costs, which fit far better some lines on.

const MOVED_CANDIDATES = 6;
const movedKept = new WeakMap();

// How far costs are apart if the older ones are those of lines that were `by` lower.
function misfit(lines, by) {
	let sum = 0;
	for (const [line, {now, before}] of lines) {
		const other = lines.get(line - by);
		sum += Math.abs(now - (other ? other.before : 0));
		// What would be of a line that is not there.
		sum += lines.has(line + by) ? 0 : before;
	}
	return sum;
}

// By how many lines a function has moved since the older profile; 0 if it has not, or nobody can tell.
function linesMoved(measure, index) {
	const {lines, older, functions} = choice.profile;
	if (!movedKept.has(measure))
		movedKept.set(measure, new Map());
	const kept = movedKept.get(measure);
	if (!kept.has(index)) {
		const [now, before] = [measure.column(lines.costs), measure.column(older.lineCosts)];
		const own = new Map();
		for (const row of lines.of(index))
			if (lines.file[row] === functions.file[index] && lines.line[row])
				own.set(lines.line[row], {now: now[row], before: before[row]});
		kept.set(index, bestShift(own));
	}
	return kept.get(index);
}

function bestShift(lines) {
	const hottest = key => [...lines].sort((a, b) => b[1][key] - a[1][key]).slice(0, MOVED_CANDIDATES)
		.map(([line]) => line);
	const total = sumOf(lines, ({now, before}) => Math.abs(now) + Math.abs(before));
	const apart = misfit(lines, 0);
	let best = {by: 0, misfit: apart * 0.5};
	if (apart > total * 0.05)
		for (const line of hottest('now'))
			for (const other of hottest('before')) {
				const now = line === other ? Infinity : misfit(lines, line - other);
				if (now < best.misfit)
					best = {by: line - other, misfit: now};
			}
	return best.by;
}
