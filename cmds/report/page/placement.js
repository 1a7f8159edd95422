// SPDX-License-Identifier: GPL-3.0-or-later
// Cards of hot loops whose code touches more fetch windows than it would if it were placed better.

// Windows of a size count if they are this many times those needed.
const WINDOWS_FELT = 1.25;

// Cycles that a loop waits for code, where cycles were counted and its code is there; Infinity if that is not known.
function waitForCode({measures, profile}, row) {
	const measure = measures.stack && measures.get(EVENT_NAMES.CYFE);
	const code = measure && profile.code(row.function);
	if (!code)
		return Infinity;
	const column = measure.column(code.costs);
	return sumOf(code.address, (at, i) => at >= Number(row.begin) && at < Number(row.end) ? column[i] : 0);
}

// Puts the hottest two into the findings' list.  What is lost is not known: a card weighs as much of the loop as there
// are windows too many, but so much at least that it is shown.  Where cycles say what waiting for code costs, no more
// is lost than that.
function findPlacement(findings) {
	const {profile, measures, cycles} = findings;
	const {rows, event} = profile.placement || {rows: []};
	const isFelt = row => row.touched.some((n, i) => n >= row.needed[i] * WINDOWS_FELT) &&
		!isLoader(profile.functions.objectOf(row.function));
	for (const row of rows.filter(isFelt).slice(0, 2)) {
		const sizes = [16, 32, 64].map((size, i) => ({size, touched: row.touched[i], needed: row.needed[i]}))
			.filter(({touched, needed}) => touched > needed);
		const worst = sizes.reduce((a, b) => b.touched / b.needed < a.touched / a.needed ? a : b);
		const spare = 1 - sumOf(row.needed) / sumOf(row.touched);
		const wait = waitForCode(findings, row);
		const isKnown = wait < Infinity;
		const word = costWord(measures.get(event) || {long: event});
		findings.addFunction(row.function, {
			kind: isKnown ? 'front' : 'hot', title: 'Badly placed loop', file: row.file, line: row.line,
			weight: Math.min(wait, cycles * Math.max(SHARE_OF_COST, row.share * spare)),
			...isKnown ? {event: EVENT_NAMES.CYFE} : {},
			text: `A loop of ${row.bytes} B, ${percent(row.share, 1)} of all ${word}, touches ` +
				`${worst.touched} fetch windows of ${worst.size} B: ${worst.needed} would do.`,
			advice: `${row.advice[0].toUpperCase()}${row.advice.slice(1)}.`,
			evidence: [`Code at ${row.begin} to ${row.end}, ${count(Number(row.turns))} turns. Windows touched, and needed: ` +
				`${sizes.map(({size, touched, needed}) => `${touched} for ${needed} of ${size} B`).join(', ')}.`,
			...isKnown ? [`It waits for code ${count(wait)} cycles: so much is lost at most.`] : []],
		});
	}
}
