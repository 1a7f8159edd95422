// SPDX-License-Identifier: GPL-3.0-or-later
// Explanations: of whatever has data-help, when the mouse is on it or the keyboard, and of the keys.

const KEYS = [
	['1 \u2026 9', 'the views, from left to right'],
	['/', 'search for a function'],
	['\u2191 \u2193 PgUp PgDn Home End', 'go through a table, or the boxes of a picture'],
	['Enter', 'open the function; zoom in the flame graph'],
	['o', 'in a picture: open the function'],
	['Escape', 'clear the search, zoom out, close this'],
	['[ ]', 'the event before, the event after'],
	['Backspace', 'go back'],
	['m', 'with or without the machine code of the function'],
	['+ - 0', 'in the call graph: larger, smaller, as large as there is room'],
	['T', 'names of functions: short where there is no room, short, in full'],
	['t', 'dark, light, as the system'],
	['?', 'this list'],
];

function tipsBegin() {
	const tip = el('div', {id: 'tip', role: 'tooltip', hidden: true});
	document.body.append(tip);
	let owner = null;
	const hide = () => {
		tip.hidden = true;
		if (owner)
			owner.removeAttribute('aria-describedby');
		owner = null;
	};
	const show = event => {
		const target = event.target.closest ? event.target.closest('[data-help]') : null;
		if (target === owner)
			return;
		hide();
		if (!target || !target.dataset.help)
			return;
		owner = target;
		owner.setAttribute('aria-describedby', 'tip');
		tip.textContent = target.dataset.help;
		tip.hidden = false;
		const box = target.getBoundingClientRect();
		const left = Math.min(box.left, innerWidth - tip.offsetWidth - 8);
		const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
		tip.style.setProperty('left', `${Math.max(8, left)}px`);
		tip.style.setProperty('top', `${below ? box.bottom + 6 : Math.max(4, box.top - tip.offsetHeight - 6)}px`);
	};
	document.addEventListener('mouseover', show);
	document.addEventListener('focusin', show);
	document.addEventListener('focusout', hide);
	document.addEventListener('scroll', hide, true);
	document.addEventListener('keydown', event => event.key === 'Escape' && hide());
}

function keysDialog() {
	const dialog = el('dialog', {id: 'keys', 'aria-labelledby': 'keys-title'},
		el('h2', {id: 'keys-title'}, 'Keys'),
		el('dl', {}, KEYS.map(([keys, text]) => [
			el('dt', {}, keys.split(' ').map(key => key === '\u2026' ? ' \u2026 ' : el('kbd', {}, key))),
			el('dd', {}, text)])),
		el('p', {}, 'A column is explained when the mouse or the focus is on its title. ' +
			'The address holds all that is chosen: send it along with the file.'),
		el('form', {method: 'dialog'}, el('button', {}, 'Close')));
	document.body.append(dialog);
	return dialog;
}
