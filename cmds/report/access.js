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
		return /(ss|movd)$/.test(name) ? 4 : /(sd|movq|mov[lh]p[sd]|ddup|ps2pd|dq2pd)$/.test(name) ? 8 : 16;
	const extending = /^mov[sz]([bwl])[wlq]$/.exec(name);
	if (extending)
		return SUFFIXES[extending[1]];
	return name.startsWith('f') ? 0 : SUFFIXES[name.at(-1)] || 0;
}

// The register that an instruction moves by a constant, and by how much: {register, step}, or null.
function stepOf(text) {
	let match = /^(add|sub)q? \$(-?)(0x[0-9a-f]+|\d+), ?%(r\w+)$/.exec(text.trim());
	if (match)
		return {register: match[4], step: Number(match[3]) * ((match[1] === 'sub') === (match[2] === '-') ? 1 : -1)};
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

// Bytes at a time, on average over the references; 0 if that is not known of nearly all.
function meanWidth(accesses) {
	let known = 0;
	let all = 0;
	let bytesOf = 0;
	for (const {text, refs} of accesses) {
		const width = accessWidth(text);
		all += refs;
		known += width ? refs : 0;
		bytesOf += width * refs;
	}
	return known > all * 0.95 ? bytesOf / known : 0;
}

// How far the address of the access that misses most goes on from one time to the next, if a register of it is moved
// by a constant as often as the access is done: {step, text}, or null.
function strideOf(accesses, instructions) {
	const worst = accesses.reduce((a, b) => !a || b.misses > a.misses ? b : a, null);
	const operand = worst && memoryOperand(worst.text);
	if (!operand)
		return null;
	const {code} = worst;
	const times = instructions.at(code.costs, worst.row);
	let found = null;
	for (let row = 0; row < code.length; row++) {
		const move = stepOf(code.text(row));
		if (!move || move.register !== operand.base && move.register !== operand.index || move.register === 'rsp' ||
			Math.abs(instructions.at(code.costs, row) - times) > times * 0.1)
			continue;
		// Moved twice in turns: the sum is not known from here.
		if (found)
			return null;
		found = {step: Math.abs(move.step) * (move.register === operand.index ? operand.scale : 1), text: code.text(row)};
	}
	return found;
}

// How many sets of a cache addresses that are step bytes apart fall into.
function setsUsed(cache, step) {
	const span = cache.sets * cache.line;
	let [a, b] = [span, step % span];
	while (b)
		[a, b] = [b, a % b];
	return step < cache.line ? cache.sets : Math.min(cache.sets, span / a);
}
