// SPDX-License-Identifier: GPL-3.0-or-later
// Calls within a recursion: what an inner call costs is counted in the outer ones, too, so that their costs are no
// shares of anything.

function isRecursive(from, to) {
	const {cycle} = choice.profile.functions;
	return from === to || cycle[from] > 0 && cycle[from] === cycle[to];
}

// Of the inclusive costs of members of cycles, and of one member.
const CYCLE_HELP = 'inclusive costs are without calls within the cycle';

function cycleHelp(index) {
	const {cycle, whole} = choice.profile.functions;

	return `cycle ${cycle[index]}${whole[index] ? '' : `: ${CYCLE_HELP}`}`;
}

function recursionHelp(from, to) {
	return `${from === to ? 'Calls of itself' : `Calls within cycle ${choice.profile.functions.cycle[from]}`}: ` +
		'what an inner call costs is counted in all outer ones, too, so this is no share of the function, nor of the run.';
}

// In the place of a share.
function recursionSign(from, to) {
	return el('span', {class: 'again', role: 'img', 'aria-label': 'recursive', help: recursionHelp(from, to)},
		'\u21ba');
}
