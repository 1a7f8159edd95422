// SPDX-License-Identifier: GPL-3.0-or-later
// How wide columns of numbers are: so that the widest number of a column is not cut, on the screen and on paper.

// Pixels of a rem, of the text of a row, and of the small text beside it, as page.css has them.
const SCREEN = {rem: 14, text: 14, small: 0.8, aside: 3.6, bar: 0.6, gap: 0.5, padding: 1};
const PAPER = {rem: 11, text: 10, small: 0.73, aside: 3.2, bar: 0.2, gap: 0.3, padding: 0.5};
// What is left of A4 between the margins.
const PAPER_WIDTH = 690;

// The longest of these texts in pixels; figures are as wide as each other.
function widthOf(texts, size) {
	ruler.font = `${size}px ${getComputedStyle(document.documentElement).fontFamily}`;
	return texts.reduce((most, text) => Math.max(most, ruler.measureText(text.replace(/\d/g, '0')).width), 0);
}

// The least and the greatest of a column: one of them has the longest text.
function extremes(column) {
	let [least, greatest] = [0, 0];
	for (const value of column) {
		least = Math.min(least, value);
		greatest = Math.max(greatest, value);
	}
	return [least, greatest];
}

// Of a column with such texts, on either medium; with a bar behind them, with shares or with smaller texts beside them,
// which are below them on paper; at least so many rem on the screen.
function widthsFor(texts, {bar = false, share = false, small = [], least = 0} = {}) {
	const text = medium => widthOf(texts, medium.text) + medium.rem * (medium.padding + (bar ? medium.bar : 0) +
		(share ? medium.gap + medium.aside : 0)) + 2;
	const beside = medium => Math.max(medium.aside * medium.rem, widthOf(small, medium.small * medium.rem));
	const below = small.length ? widthOf(small, PAPER.small * PAPER.rem) + PAPER.padding * PAPER.rem : 0;
	return {
		width: `${Math.ceil(Math.max(least * SCREEN.rem,
			text(SCREEN) + (small.length ? SCREEN.gap * SCREEN.rem + beside(SCREEN) : 0)))}px`,
		printed: `${Math.ceil(Math.max((bar ? 6.2 : 4.5) * PAPER.rem, text(PAPER), below + 2))}px`,
	};
}

// Of a column of changes; those of functions have no room for all of their digits everywhere.
const SHORT_CHANGES = ['\u22129,999', '\u22129.99M', '\u2212999M'];

function widthsOfChanges(column, others = []) {
	return widthsFor(extremes([...extremes(column), ...others]).map(change), {bar: true, least: 8.5});
}

function widthsOfShortChanges(least = 5.5) {
	return widthsFor(SHORT_CHANGES, {bar: true, least});
}

function widthsOfCosts(column, others = []) {
	return widthsFor(extremes([...extremes(column), ...others]).map(count), {bar: true, share: true, least: 12});
}

// Of counts, and how many more they are than before, or null.
function widthsOfCounts(now, before, least = 7) {
	if (!before)
		return widthsFor(extremes(now).map(count), {least});
	return widthsFor(extremes(now).map(count), {least: 8,
		small: extremes(now.map((value, i) => value - before[i])).map(value => countChange(value, 0))});
}

// Of columns, in pixels: all that they need at least.
function leastWidth(columns, medium) {
	return sumOf(columns, column => {
		const [, number, unit] = /([\d.]+)(px|rem)/.exec(medium === PAPER && column.printed || column.width);
		return number * (unit === 'rem' ? medium.rem : 1);
	});
}
