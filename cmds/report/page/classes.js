// SPDX-License-Identifier: GPL-3.0-or-later
// Why places miss a level of caches, where that was counted (--miss-classes=yes), and who pushes whom out of a set of
// D1.

// By what the event's name ends in: what such misses are, and what to do about them.
const MISS_CLASSES = [
	{ending: 'cold', text: 'cold',
		advice: 'Used for the first time: keep a buffer and use it again, not fresh memory each time, or prefetch.'},
	{ending: 'cap', text: 'capacity', advice: ''},
	{ending: 'conf', text: 'conflicts',
		advice: 'Too many lines of one set: pad by a line, or copy together what is used together.'},
];

// The class that most misses of a level are of, with a sentence that has the shares of all; null if they were not
// counted.  valueOf has the value of a measure there.
function missClass(findings, level, valueOf) {
	if (!findings.measures.get(`${level}cold`))
		return null;
	const list = MISS_CLASSES.map(item => ({...item, misses: valueOf(level + item.ending)}));
	const sum = sumOf(list, item => item.misses);
	const most = list.reduce((a, b) => b.misses > a.misses ? b : a);
	return sum > 0 ? {...most, shares: `Its misses of ${level} are ${list.filter(item => item.misses > 0)
		.map(item => `${percent(item.misses, sum)} ${item.text}`).join(', ')}.`} : null;
}

// Of the profile's lines "Conflicts: 90 of 100 in D1, 4096 bytes apart: f.c:12 f <-> f.c:14 g" those of one line of
// code: [{n, all, apart, ends}], ends being {path, line}.
function conflictsAt(profile, path, line) {
	const end = text => {
		const match = /^(.*?):(\d+) /.exec(text) || [];
		return {path: match[1] || '', line: Number(match[2] || 0)};
	};
	return profile.headers.map(header =>
		/\bConflicts: (\d+) of (\d+) in D1(?:, (\d+) bytes apart)?: (.+) <-> (.+)$/.exec(header)).filter(Boolean)
		.map(([, n, all, apart, ...ends]) =>
			({n: Number(n), all: Number(all), apart: Number(apart || 0), ends: ends.map(end)}))
		.filter(({ends}) => line && ends.some(one => one.line === line &&
			(`/${one.path}`.endsWith(`/${path}`) || `/${path}`.endsWith(`/${one.path}`))));
}

// "a[i] += b[i]; f.c:12", with the text if the page has it.
function endText(profile, {path, line}) {
	const file = profile.files.findIndex(one => baseName(one) === baseName(path));
	const text = file < 0 ? null : textOf(profile, file).line(line);
	return `${text ? `${shorten(text.trim(), 60)} ` : ''}${place(path, line)}`;
}

// Of the pairs of a line, the one that most conflicts are of: who with whom, how far apart, what would help; null if
// there is none.  The same two the other way round are that pair, too.
function conflictAdvice(profile, path, line, D1) {
	const pairs = conflictsAt(profile, path, line).sort((a, b) => b.n - a.n);
	const [first] = pairs;
	if (!first)
		return null;
	const keyOf = ({ends}) => ends.map(end => `${end.line} ${end.path}`).sort().join();
	const n = sumOf(pairs.filter(pair => keyOf(pair) === keyOf(first)), pair => pair.n);
	const [one, other] = first.ends.map(end => endText(profile, end));
	const pair = `${one} <-> ${one === other ? 'itself' : other}`;
	const isSet = D1 && first.apart % (D1.sets * D1.line) < D1.line;
	return {
		advice: first.apart ? `${pair}: ${count(first.apart)} B apart${isSet ? ', the same set of D1' : ''}; ` +
			`pad by ${D1 ? D1.line : 64}.` :
			`${pair}: in the same sets of D1, at changing distances; pad, or copy together what is used together.`,
		evidence: `${count(n)} of all ${count(first.all)} conflict misses of D1 are of this pair.`,
	};
}

// Why a place misses D1, by what was counted; null if that was not.  where is {valueOf, path, line}, guess what is
// known without.
function countedReason(findings, level, where, guess) {
	const {D1} = findings.caches;
	const found = missClass(findings, 'D1', where.valueOf);
	if (!found)
		return null;
	if (found.ending === 'conf') {
		const pair = conflictAdvice(findings.profile, where.path, where.line, D1) || {advice: found.advice, evidence: ''};
		return {title: `Conflicts in D1: misses there, hits in ${level}`, advice: pair.advice, isKnown: true,
			evidence: [found.shares, pair.evidence, ...guess.evidence].filter(Boolean)};
	}
	if (found.ending === 'cold')
		return {title: 'Cold misses of D1', advice: found.advice, evidence: [found.shares]};
	// Padding would not help.
	return guess.isInOrder ? {...guess, evidence: [found.shares, ...guess.evidence]} :
		{title: `More than D1 holds: misses there, hits in ${level}`,
			advice: `Go in blocks that fit into D1${D1 ? ` (${bytes(D1.size)})` : ''}, or make data smaller.`,
			evidence: [found.shares]};
}

// Advice for misses of the last level: usual is that without classes.  Where little of each line is used, fewer lines
// are fewer cold misses, too.
function countedMemory(findings, valueOf, usual) {
	const found = missClass(findings, 'LL', valueOf);
	const isUsual = found && (found.ending === 'cap' || usual.isSparse && found.ending === 'cold');
	return found ? {advice: isUsual ? usual.advice : found.advice, evidence: [...usual.evidence, found.shares]} : usual;
}
