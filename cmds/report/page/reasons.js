// SPDX-License-Identifier: GPL-3.0-or-later
// What machine code (x86, AT&T syntax) says of the memory it refers to: how many bytes at a time, and how far apart.

// Instructions that refer to the stack without saying so.
const STACK_USERS = /^(push|pop|call|ret|leave|enter)/;
const NO_ACCESS = /^(lea|nop|prefetch|clflush|endbr)/;
const SUFFIXES = {b: 1, w: 2, l: 4, q: 8};

// {base, index, scale} of the operand in memory, registers without their %; null if there is none.
function memoryOperand(text) {
	const match = NO_ACCESS.test(text) ? null : /\((?:%(\w+))?(?:, ?%(\w+))?(?:, ?([1248]))?\)/.exec(text);
	return match ? {base: match[1] || '', index: match[2] || '', scale: Number(match[3] || 1)} : null;
}

// Bytes of the access of an instruction that has one; 0 if that is not known.
function accessWidth(text) {
	const name = text.split(' ')[0];
	if (STACK_USERS.test(name))
		return 8;
	// Of these, the register says nothing.
	if (/pmov[sz]x|broadcast|cvt[^2]*(p[sdih]|dq)|extract|insert|pins|pext|gather|scatter|expand|compress/.test(name))
		return /^cvt(ps2pd|dq2pd)$/.test(name) ? 8 : 0;
	if (text.includes('%zmm'))
		return 64;
	if (text.includes('%ymm'))
		return 32;
	// Of a conversion, what is read, which is named first.
	const converted = /cvtt?(s[sdi])2/.exec(name);
	if (converted && converted[1] !== 'si')
		return converted[1] === 'ss' ? 4 : 8;
	if (converted)
		return SUFFIXES[name.at(-1)] || 4;
	if (text.includes('%xmm'))
		return /(ss|movd)$/.test(name) ? 4 : /(sd|movq|mov[lh]p[sd]|ddup)$/.test(name) ? 8 : 16;
	const extending = /^mov[sz]([bwl])[wlq]$/.exec(name);
	if (extending)
		return SUFFIXES[extending[1]];
	return name.startsWith('f') ? 0 : SUFFIXES[name.at(-1)] || 0;
}

// The register that an instruction moves, and by how much: {register, step}, or null; 0 is by a register's value.
function stepOf(text) {
	let match = /^(add|sub)q? \$(-?)(0x[0-9a-f]+|\d+), ?%(r\w+)$/.exec(text.trim());
	if (match)
		return {register: match[4], step: Number(match[3]) * ((match[1] === 'sub') === (match[2] === '-') ? 1 : -1)};
	match = /^(?:add|sub)q? %r\w+, ?%(r\w+)$/.exec(text.trim());
	if (match)
		return {register: match[1], step: 0};
	match = /^leaq? (-?)(0x[0-9a-f]+|\d+)\(%(r\w+)\), ?%(r\w+)$/.exec(text.trim());
	return match && match[3] === match[4] ? {register: match[4], step: Number(match[2]) * (match[1] ? -1 : 1)} : null;
}

// The accesses of lines: places are [{function, file, line}].  Of each instruction with references, {text, refs,
// misses, code, row}.
function accessesOf(profile, places, refs, misses) {
	const found = [];
	const seen = new Set();
	for (const place of places) {
		const code = profile.code(place.function);
		if (!code)
			continue;
		const key = `${code.address[0]} ${place.file} ${place.line}`;
		if (seen.has(key))
			continue;
		seen.add(key);
		for (let row = 0; row < code.length; row++)
			if (code.line[row] === place.line && code.file[row] === place.file && refs.at(code.costs, row) > 0)
				found.push({text: code.text(row), refs: refs.at(code.costs, row), misses: misses.at(code.costs, row), code, row});
	}
	return found;
}

// The access that misses most, with its share of the misses of all of them, its rate, bytes at a time (0 = not known)
// and how its address goes on; null if there is no machine code.
function worstAccess(accesses, instructions) {
	const worst = accesses.reduce((a, b) => !a || b.misses > a.misses ? b : a, null);
	if (!worst || !worst.misses)
		return null;
	return {
		...worst, share: worst.misses / sumOf(accesses, access => access.misses),
		rate: worst.misses / worst.refs, width: accessWidth(worst.text),
		stride: instructions ? strideOf(worst, instructions) : null,
	};
}

// The register that an instruction writes, whole; '' if none, or not by an operand.
function registerWritten(text) {
	const match = /^(?!cmp|test|push|bt|j|call|ret|nop|prefetch|leave)[a-z0-9]+ (?:.*, ?)?%(\w+)$/.exec(text.trim());
	return match ? wholeRegister(match[1]) : '';
}

// rax of eax, ax and al; r8 of r8d.
function wholeRegister(name) {
	const numbered = /^(r\d+)[dwb]?$/.exec(name);
	const old = /^[re]?([a-d])[xl]$|^[re]?(si|di|bp|sp)l?$/.exec(name);
	return numbered ? numbered[1] : old ? `r${old[1] ? `${old[1]}x` : old[2]}` : name;
}

// True if an instruction writes registers that it does not name: multiplications, divisions, extensions of signs,
// strings.
function writesUnnamed(text, register) {
	const name = text.split(' ')[0];
	return /^(mul|imul|i?div|c[dqlw]t[dqlo]|cq?to)/.test(name) && !text.includes(',') && /^r[ad]x$/.test(register) ||
		/^(rep|movs[bwlq]?$|stos|lods|scas|cmps[bwlq]?$)/.test(name) && /^r(cx|si|di|ax)$/.test(register);
}

// How the address of an access goes on from one time to the next, if a register of it is moved once, as often as the
// access is done, and else only set in between: {step, text, row}; step is 0 if it is moved by another register, row
// is how many steps are made before it is set again.  Null if that is not so.
function strideOf({text, code, row}, instructions) {
	const operand = memoryOperand(text);
	const times = instructions.at(code.costs, row);
	const found = [];
	for (const [register, scale] of operand ? [[operand.base, 1], [operand.index, operand.scale]] : []) {
		if (!register || register === 'rsp')
			continue;
		let set = 0;
		for (let at = 0; at < code.length; at++) {
			const other = code.text(at);
			const often = instructions.at(code.costs, at);
			const move = stepOf(other);
			if (move && move.register === register && Math.abs(often - times) <= times * 0.1)
				found.push({step: Math.abs(move.step) * scale, text: other, register});
			else if (registerWritten(other) === register || writesUnnamed(other, register))
				set += often;
		}
		// Set as often as it is used: where from is not known.
		if (set > times * 0.5)
			return null;
		for (const move of found)
			if (move.register === register)
				move.row = set ? times / set : times;
	}
	// Moved twice in turns: the sum is not known from here.
	return found.length === 1 ? found[0] : null;
}

// How many sets of a cache addresses that are step bytes apart fall into.
function setsUsed(cache, step) {
	const span = cache.sets * cache.line;
	let [a, b] = [span, step % span];
	while (b)
		[a, b] = [b, a % b];
	return step < cache.line ? cache.sets : Math.min(cache.sets, span / a);
}

// -- reasons of misses --

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

// Of the profile's lines "Conflicts: 90 of 100 in D1, 4096 bytes apart: f.c:12 f <-> f.c:14 g" that name one line of
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
