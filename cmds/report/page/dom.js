// SPDX-License-Identifier: GPL-3.0-or-later
// Elements. Whatever comes from a profile becomes text, never markup (scripts/check-page).
'use strict';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes)) {
		if (value === null || value === undefined || value === false)
			continue;
		if (name.startsWith('on'))
			element.addEventListener(name.slice(2), value);
		else if (name === 'help')
			// For tipsBegin().
			element.dataset.help = value;
		else if (name === 'vars')
			// The policy forbids style attributes; custom properties set here are allowed.
			Object.entries(value).forEach(([key, text]) => element.style.setProperty(key, text));
		else
			element.setAttribute(name, value === true ? '' : value);
	}
	for (const child of children.flat(2))
		if (child !== null && child !== undefined && child !== false)
			element.append(child);
	return element;
}

// An element with attributes and children; texts among the children are texts.
function el(tag, attributes = {}, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
	return fill(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

function button(attributes, ...children) {
	return el('button', {type: 'button', ...attributes}, ...children);
}

function dim(...children) {
	return el('span', {class: 'dim'}, ...children);
}

// A drop-down list of [value, text] with one chosen.
function select(label, choices, chosen, change) {
	const options = choices.map(([value, text]) =>
		el('option', {value, selected: value === chosen}, text));
	return el('label', {class: 'pick'}, el('span', {}, label),
		el('select', {'aria-label': label, onchange: event => change(event.target.value)}, options));
}

// -- splitter --

// A bar between two parts of a view that is moved by the mouse, a finger, or arrows; its value is the share in
// percent that the first part has.  Until it is moved, it is where the view thinks best: automatic(), in percent.

const LEAST_SHARE = 10;

class Splitter {
	// upright: the parts are side by side.  place(percent) puts it there.
	constructor({label, upright, automatic, place}) {
		Object.assign(this, {upright, automatic, place, chosen: null});
		this.element = el('div', {
			class: `splitter ${upright ? 'upright' : ''}`, role: 'separator', tabindex: '0', 'aria-label': label,
			'aria-orientation': upright ? 'vertical' : 'horizontal',
			'aria-valuemin': LEAST_SHARE, 'aria-valuemax': 100 - LEAST_SHARE,
			help: `${label}: drag, or ${upright ? '\u2190 \u2192' : '\u2191 \u2193'}; a double click puts it back.`,
			onpointerdown: event => this.element.setPointerCapture(event.pointerId),
			onpointermove: event => this.drag(event),
			ondblclick: () => this.choose(null),
			onkeydown: event => this.key(event),
		});
	}

	choose(value) {
		this.chosen = value === null ? null : Math.max(LEAST_SHARE, Math.min(100 - LEAST_SHARE, value));
		this.update();
	}

	update() {
		const value = this.chosen === null ? this.automatic() : this.chosen;
		this.value = Math.max(LEAST_SHARE, Math.min(100 - LEAST_SHARE, value));
		this.element.setAttribute('aria-valuenow', this.value.toFixed(0));
		this.place(this.value);
	}

	drag(event) {
		if (!this.element.hasPointerCapture(event.pointerId))
			return;
		const around = this.element.parentElement.getBoundingClientRect();
		this.choose(this.upright ? (event.clientX - around.left) / around.width * 100 :
			(event.clientY - around.top) / around.height * 100);
	}

	key(event) {
		const steps = this.upright ? {ArrowLeft: -2, ArrowRight: 2} : {ArrowUp: -2, ArrowDown: 2};
		if (event.altKey || event.ctrlKey || event.metaKey)
			return;
		if (event.key in steps)
			this.choose(this.value + steps[event.key]);
		else if (event.key === 'Home' || event.key === 'End')
			this.choose(event.key === 'Home' ? LEAST_SHARE : 100 - LEAST_SHARE);
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	}
}

// -- explanations --

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
