// SPDX-License-Identifier: GPL-3.0-or-later
// The page itself: the bar on top, the views, the keys that work everywhere.

// Those behind the sixth are there if the profile has what they show.
const VIEWS = [lookView, functionsView, functionView, flameView, graphView, mapView, branchesView, typesView,
	objectsView, rooflineView];
const THEMES = ['system', 'dark', 'light'];

const app = {
	built: new Map(),

	begin(raw) {
		choice.profile = profileOf(raw);
		choice.measures = measuresOf(choice.profile);
		this.views = VIEWS.filter(view => !view.isThere || view.isThere(choice.profile));
		this.keys = keysDialog();
		tipsBegin();
		this.tabs = el('nav', {'aria-label': 'Views'});
		this.picks = el('div', {class: 'picks'});
		this.paper = el('div', {class: 'paper'});
		this.stage = el('main', {id: 'stage'});
		document.getElementById('app').replaceChildren(
			el('header', {class: 'top'}, this.tabs, this.picks), this.paper, this.stage);
		document.addEventListener('keydown', event => this.key(event));
		addEventListener('beforeprint', () => this.print());
		addEventListener('afterprint', () => {
			document.documentElement.dataset.theme = this.theme;
			this.tables().forEach(table => table.draw());
		});
		PHONE.addEventListener('change', () => this.update());
		state.listeners.push(() => this.update());
		stateBegin(choice.profile);
		if (!this.view)
			this.update();
	},

	// Paper is white.
	print() {
		this.theme = document.documentElement.dataset.theme || 'system';
		document.documentElement.dataset.theme = 'light';
		// Nobody unfolds paper.
		this.stage.querySelectorAll('details').forEach(part => part.open = true);
		this.tables().forEach(table => table.drawAll());
	},

	// Those of the view that is shown.
	tables() {
		return Object.values(this.view).flatMap(part => part instanceof RowWindow ? [part] :
			part && part.table instanceof RowWindow ? [part.table] : []);
	},

	update() {
		choose();
		const view = this.views.find(item => item.key === get('view')) || this.views[0];
		this.drawTabs(view);
		this.drawPicks();
		if (!this.built.has(view.key))
			this.built.set(view.key, {view, element: view.build()});
		const {element} = this.built.get(view.key);
		if (this.view !== view) {
			this.view = view;
			this.stage.replaceChildren(element);
		}
		const before = stateText();
		view.update();
		if (stateText() !== before)
			this.drawTabs(view);
		this.drawPaper(view);
	},

	// What the choices say, on paper.
	drawPaper(view) {
		const {measure, per, part, older, profile} = choice;
		this.paper.replaceChildren(view === lookView ? '' : el('h2', {}, `${profile.title}: ${view.title}`),
			el('p', {}, [`Event: ${measure.name}, ${measure.long}`, per ? `per ${per === 'calls' ? 'call' : per.name}` : '',
				part ? `of ${part.name}` : '', older ? `compared with ${older.title}` : ''].filter(Boolean).join('  \u00b7  ')));
	},

	drawTabs(view) {
		const links = this.views.map((item, i) => el('a', {
			href: linkTo({view: item.key}), class: item === view ? 'chosen' : '',
			'aria-current': item === view ? 'page' : null, help: `Key ${i + 1}`,
		}, item.title));
		// A link that has the focus keeps it.
		const focused = [...this.tabs.children].indexOf(document.activeElement);
		this.tabs.replaceChildren(...links);
		if (focused >= 0)
			links[focused].focus();
		const chosen = this.tabs.querySelector('.chosen');
		this.tabs.scrollLeft = chosen.offsetLeft - this.tabs.offsetLeft - (this.tabs.clientWidth - chosen.offsetWidth) / 2;
		document.title = [view.title, get('fn') && view !== lookView ? shortName(get('fn'), 60) : '',
			choice.profile.title].filter(Boolean).join(' \u2013 ');
	},

	drawPicks() {
		const {measures, profile} = choice;
		const names = measures.list.map(measure => [measure.name, `${measure.name} \u2013 ${cutMiddle(measure.long, 40)}`]);
		const focused = document.activeElement && this.picks.contains(document.activeElement) ?
			document.activeElement.getAttribute('aria-label') : null;
		const parts = profile.partSelf.length > 1 ? profile.parts.map((part, i) => [String(i + 1), part.name]) : [];
		this.picks.replaceChildren(
			select('Event', names, choice.measure.name, value => go({event: value, zoom: ''})),
			select('per', [['', '\u2013'], ...get('part') ? [] : [['calls', 'call']],
				...measures.list.map(measure => [measure.name, measure.name])],
				choice.per === 'calls' ? 'calls' : choice.per ? choice.per.name : '', value => go({per: value})),
			...parts.length ? [select('Part', [['', 'all'], ...parts], get('part'), value => go({part: value, with: ''})),
				...get('part') ? [select('against', [['', '\u2013'], ...parts], get('with'),
					value => go({with: value}))] : []] : [],
			button({'aria-label': 'Names of functions', help: `Names of functions: ${
				NAME_STEPS.find(([key]) => key === get('names'))?.[1] || ''}. Turns to the next way (T)`,
			onclick: () => this.turnNames()}, '<\u2026>'),
			button({'aria-label': 'Dark or light', help: 'Dark, light, or as the system (t)',
				onclick: () => this.turnTheme()}, '\u25d0'),
			button({'aria-label': 'Keys', help: 'Keys (?)',
				onclick: () => this.keys.showModal()}, '?'));
		if (focused) {
			const again = this.picks.querySelector(`[aria-label="${CSS.escape(focused)}"]`);
			if (again)
				again.focus();
		}
	},

	turnTheme() {
		const root = document.documentElement;
		const next = THEMES[(THEMES.indexOf(root.dataset.theme || 'system') + 1) % THEMES.length];
		root.dataset.theme = next;
	},

	turnNames() {
		const at = NAME_STEPS.findIndex(([key]) => key === get('names'));
		go({names: NAME_STEPS[(at + 1) % NAME_STEPS.length][0]}, true);
	},

	turnEvent(step) {
		const {list} = choice.measures;
		go({event: list[(list.indexOf(choice.measure) + step + list.length) % list.length].name, zoom: ''});
	},

	key(event) {
		const typing = event.target.matches && event.target.matches('input, select, textarea');
		if (event.ctrlKey || event.altKey || event.metaKey || typing || this.keys.open)
			return;
		const number = Number(event.key);
		if (number >= 1 && number <= this.views.length)
			go({view: this.views[number - 1].key});
		else if (event.key === '/')
			this.search();
		else if (event.key === '?')
			this.keys.showModal();
		else if (event.key === 't')
			this.turnTheme();
		else if (event.key === 'T')
			this.turnNames();
		else if ('+-0'.includes(event.key) && this.view === graphView)
			graphView.zoomKey(event.key);
		else if (event.key === 'm' && this.view === functionView)
			functionView.turnCode();
		else if (event.key === '[' || event.key === ']')
			this.turnEvent(event.key === ']' ? 1 : -1);
		else if (event.key === 'Backspace')
			history.back();
		else
			return this.enter(event);
		event.preventDefault();
	},

	search() {
		if (this.view !== functionsView && this.view !== flameView)
			go({view: 'functions'});
		this.view.search.focus();
		this.view.search.select();
	},

	// The first arrow goes into the view's table or picture.
	enter(event) {
		if (event.key !== 'ArrowDown' || document.activeElement !== document.body)
			return;
		const target = this.stage.querySelector('[role=grid], [role=application]');
		if (target) {
			target.focus();
			event.preventDefault();
		}
	},
};

async function main() {
	const status = document.getElementById('app');
	try {
		const holder = document.getElementById('data');
		const raw = await unpack(holder.textContent);
		holder.remove();
		app.begin(raw);
		// For the tests: when the page was there, by the browser's own clock.
		requestAnimationFrame(() => document.documentElement.dataset.ready = performance.now().toFixed(0));
	} catch (error) {
		status.replaceChildren(el('p', {class: 'wait', role: 'alert'},
			typeof DecompressionStream === 'undefined' ?
				'This browser is too old to unpack the profile: take Chromium 80, Firefox 113, Safari 16.4, or newer.' :
				`The profile in this page cannot be shown: ${error.message}`));
		throw error;
	}
}

main();
