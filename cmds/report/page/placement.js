// SPDX-License-Identifier: GPL-3.0-or-later
// Cards of hot loops whose code touches more fetch windows than it would if it were placed better.

const sumOfWindows = windows => windows.reduce((sum, n) => sum + n, 0);

// Windows of a size count if they are this many times those needed.
const WINDOWS_FELT = 1.25;

// Puts the hottest two into the findings' list.  What is lost is not known: a card weighs as much of the loop as there
// are windows too many, but so much at least that it is shown.
function findPlacement(findings) {
	const {profile, list, cycles} = findings;
	const {rows, event} = profile.placement || {rows: []};
	const isFelt = row => row.touched.some((n, i) => n >= row.needed[i] * WINDOWS_FELT) &&
		!isLoader(profile.functions.objectOf(row.function));
	for (const row of rows.filter(isFelt).slice(0, 2)) {
		const sizes = [16, 32, 64].map((size, i) => ({size, touched: row.touched[i], needed: row.needed[i]}))
			.filter(({touched, needed}) => touched > needed);
		const worst = sizes.reduce((a, b) => b.touched / b.needed < a.touched / a.needed ? a : b);
		const spare = 1 - sumOfWindows(row.needed) / sumOfWindows(row.touched);
		list.push({
			kind: 'hot', title: 'Badly placed loop', function: row.function, others: 0, file: row.file, line: row.line,
			weight: cycles * Math.max(SHARE_OF_COST, row.share * spare),
			text: `A loop of ${row.bytes} B, ${percent(row.share, 1)} of all ${event}, touches ${worst.touched} fetch windows ` +
				`of ${worst.size} B: ${worst.needed} would do.`,
			advice: `${row.advice[0].toUpperCase()}${row.advice.slice(1)}.`,
			evidence: [`Code at ${row.begin} to ${row.end}, ${count(Number(row.turns))} turns. Windows touched, and needed: ` +
				`${sizes.map(({size, touched, needed}) => `${touched} for ${needed} of ${size} B`).join(', ')}.`],
		});
	}
}
