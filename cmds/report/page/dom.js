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
			// For tips.js.
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
