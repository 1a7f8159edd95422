// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as people read them.

// Cycles are counted in tenths, which say something of small counts only.
const TENTHS = new Intl.NumberFormat('en-US', {maximumFractionDigits: 1});
const WHOLE = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const SHORT = new Intl.NumberFormat('en-US', {notation: 'compact', maximumSignificantDigits: 3});

// Counts that a number of JavaScript does not hold to the last digit.
const ABOUT = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 15});

function isAbout(value) {
	return Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isFinite(value);
}

function formatOf(value) {
	return Math.abs(value) < 1000 ? TENTHS : isAbout(value) ? ABOUT : WHOLE;
}

function count(value) {
	return (isAbout(value) ? '\u2248\u00a0' : '') + formatOf(value).format(value);
}

function shortCount(value) {
	return Math.abs(value) < 10000 ? formatOf(value).format(value) : SHORT.format(value);
}

// A change always has its sign.
function change(value) {
	const text = (value > 0 ? '+' : '') + formatOf(value).format(value).replace('-', '\u2212');
	return (isAbout(value) ? '\u2248\u00a0' : '') + text;
}

function shortChange(value) {
	return (value > 0 ? '+' : '') + shortCount(value).replace('-', '\u2212');
}

// Nothing if it is the same; more is not worse of itself.
function countChange(now, before) {
	return now === before ? '' : `\u0394 ${change(now - before)}`;
}

function percent(part, whole) {
	if (!whole)
		return '\u2013';
	const value = part / whole * 100;
	const size = Math.abs(value);
	if (size !== 0 && size < 0.01)
		return (value < 0 ? '\u2212' : '') + '<0.01\u00a0%';
	return value.toFixed(size < 10 ? 2 : 1).replace('-', '\u2212') + '\u00a0%';
}

// A quotient; per call it may be large, per instruction small.
function quotient(value) {
	if (!Number.isFinite(value))
		return '\u2013';
	const size = Math.abs(value);
	if (size >= 1000)
		return WHOLE.format(value);
	return size === 0 ? '0' : value.toPrecision(3);
}

function bytes(value) {
	for (const unit of ['B', 'KiB', 'MiB'])
		if (value < 1024 || value % 1024 && unit !== 'B' || unit === 'MiB')
			return `${count(value)} ${unit}`;
		else
			value /= 1024;
	return '';
}

function baseName(path) {
	return path.slice(path.lastIndexOf('/') + 1) || path;
}

function fileName(path) {
	return path === '' || path === '???' ? '(unknown file)' : baseName(path);
}

function place(path, line) {
	return line ? `${fileName(path)}:${line}` : fileName(path);
}

function address(value) {
	return '0x' + value.toString(16);
}
