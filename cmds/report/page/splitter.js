// SPDX-License-Identifier: GPL-3.0-or-later
// A bar between two parts of a view that is moved by the mouse, a finger, or arrows; its value is the share in
// percent that the first part has.  Until it is moved, it is where the view thinks best: automatic(), in percent.

const LEAST_SHARE = 10;

class Splitter {
	// upright: the parts stand side by side.  place(percent) puts it there.
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
