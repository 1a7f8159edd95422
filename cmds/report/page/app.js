// SPDX-License-Identifier: GPL-3.0-or-later
// The first page: what the run was, where its cycles went, and where to look.

// What does not follow the choice of a part.
function partNote() {
	return choice.part ? el('p', {class: 'note'}, `Totals and functions are of ${choice.part.name}` +
		(choice.older ? `, compared with ${choice.older.title}` : '') +
		'; lines, calls and findings are of all parts together.') : null;
}

function simpleTable(label, titles, rows) {
	return el('table', {'aria-label': label},
		el('thead', {}, el('tr', {}, titles.map(([text, help, align]) =>
			el('th', {scope: 'col', class: align || '', help, tabindex: help ? '0' : null}, text)))),
		el('tbody', {}, rows.map(cells => el('tr', {}, cells.map((cell, i) =>
			el('td', {class: titles[i][2] || ''}, cell))))));
}

function tableSection(title, columns, rows, ...more) {
	return el('section', {}, el('h2', {}, title), simpleTable(title, columns, rows), more);
}

// The title of a column of changes, if there is an older profile.
function changeTitle(older) {
	return older ? [['\u0394', `New minus old (${older.title})`, 'number']] : [];
}

function changeText(by) {
	return el('span', {class: by > 0 ? 'worse' : by < 0 ? 'better' : 'dim'}, change(by));
}

// A link to a function with as much of its name as there is room for; the mouse has all of it.
function functionCell(index, length) {
	const name = choice.profile.functions.names[index] || '(no name)';
	const shown = shortName(name, length);
	return el('a', {href: functionLink(index), help: shown === name ? null : name}, shown);
}

// True for a deeper level of recursion, whose inclusive cost the first one has, too.
function isLevel(index) {
	return /'\d+$/.test(choice.profile.functions.names[index]);
}

function isThreadStart(index) {
	return /^(__)?(clone3?|start_thread|thread_start)$/.test(choice.profile.functions.names[index]);
}

// Where a function is from: its source file or, if that is not known or the system's, its object.
function homeOf(index) {
	const {functions} = choice.profile;
	const [file, object] = [functions.fileOf(index), functions.objectOf(index)];
	const isOfSystem = /^\/(usr|lib\d*)\//.test(object);
	return shorten(baseName(file === '' || file === '???' || isOfSystem ? object : file) || '?', 20);
}

// Rows of the first two tables: few, so that findings can be seen below them.
const MOST_HOT = 6;

const lookView = {
	key: 'look', title: 'Where to look',

	build() {
		this.main = el('div', {class: 'view look'});
		return this.main;
	},

	update() {
		const {profile} = choice;
		this.findings = this.findings || new Findings();
		this.list = this.list || this.findings.all();
		this.main.replaceChildren(...[
			el('header', {}, el('h1', {}, profile.title || 'Profile'), el('p', {class: 'dim meta'}, profile.command,
				profile.older ? `  \u00b7  compared with ${profile.older.title}` : '', `  \u00b7  ${profile.creator}`),
			this.machines()),
			partNote(), this.tiles(), this.cycles(), this.hotFunctions(),
			el('div', {class: 'columns'},
				el('section', {'aria-label': 'Where to look'}, el('h2', {}, 'Where to look'), this.findingList(), this.partTable()),
				el('aside', {}, this.libraryCallers(), this.hotLines(), this.eventTable(), this.run(), this.leftOut())),
			this.takenTable(),
		].filter(Boolean));
	},

	tiles() {
		const {measures, older} = choice;
		const rates = ratesOf(measures, choice.totals);
		const before = older ? new Map(ratesOf(measures, older.totals)) : null;
		const tile = (name, value, help, was) => el('div', {class: 'tile', help, tabindex: '0'},
			el('b', {}, value), el('span', {}, name), was ? el('small', {}, was) : null);
		const amounts = [...new Set([measures.first, measures.get('Ir')])].filter(Boolean)
			.map(measure => {
				const now = measure.sum(choice.totals);
				const then = older ? measure.sum(older.totals) : 0;
				// The processor is in the line above.
				const name = measure.name === 'Cyc' ? 'Cycles' : measure.long.replace(/ \(.*/, '');
				return tile(name, shortCount(now), `${measure.name}: ${count(now)}`,
					older ? `${change(now - then)} (${percent(now - then, then)})` : '');
			});
		return el('div', {class: 'tiles'}, amounts, rates.map(([name, value, help]) =>
			tile(name, value, help, before && before.get(name) !== value ? `was ${before.get(name)}` : '')));
	},

	// Where cycles go, as one bar.
	cycles() {
		const {cycles} = choice.measures;
		if (!cycles)
			return null;
		const parts = cycleParts(choice.profile, cycles, i => choice.totals[i]);
		const whole = cycles.sum(choice.totals);
		const text = parts.map(part => `${part.text} ${percent(part.value, whole)}`).join(', ');
		return el('div', {class: 'cycles'},
			el('div', {class: 'stack', role: 'img', 'aria-label': `${cycles.long}: ${text}`}, stackOf(parts, whole)),
			el('p', {class: 'legend'}, `${cycles.name}: `, parts.map(part => el('span', {class: `key ${part.kind}`,
				help: part.help ? `${part.text}: ${part.help}` : null},
			`${part.text} ${percent(part.value, whole)}`, part.event === EVENT_NAMES.CYMEM && levelOf(i => choice.totals[i]) ?
				` (mostly ${levelOf(i => choice.totals[i])})` : ''))));
	},

	findingList() {
		if (!this.list.length)
			return [this.lineNote(), el('p', {class: 'dim'}, this.findings.whole > 0 ?
				`Nothing stands out: no line and no function has ${percent(SHARE_OF_COST, 1)} of the cost.` :
				'Nothing stands out: no function has costs in this profile.')];
		return [this.lineNote(), el('ol', {class: 'findings'}, this.list.map(item => this.finding(item)))];
	},

	// What code has no lines, and why functions are named instead of them.
	lineNote() {
		const {lineless} = choice.profile;
		const notes = [lineless && `${lineless}.`,
			this.findings.namesFunctions() && 'Functions are named here instead of lines, as most costs have none.'];
		return notes.some(Boolean) ? el('p', {class: 'note'}, notes.filter(Boolean).join(' ')) : null;
	},

	finding(item) {
		const {profile} = choice;
		const name = item.link ? '' : shortName(profile.functions.names[item.function], 60);
		const href = item.link || functionLink(item.function, this.target(item));
		const text = item.link ? item.name : item.line ? place(profile.files[item.file] || '', item.line) : name;
		const source = item.line && !item.link ? textOf(profile, item.file).line(item.line) : null;
		return el('li', {class: `finding ${item.kind}`},
			el('h3', {}, el('span', {class: 'badge'}, [...new Set(item.reasons.map(reason => reason.title))].join('  \u00b7  ')),
				el('a', {href}, text),
				item.line ? dim(` in ${name}`, item.others ?
					` and ${item.others} more function${item.others > 1 ? 's' : ''}` : '') : null),
			source !== null ? el('a', {href, class: 'quote', tabindex: '-1'}, el('code', {}, source.trim())) : null,
			item.reasons.map((reason, i) => el('div', {class: i ? 'reason' : ''}, this.reason(reason))));
	},

	// What it is, and what to do; the rest is folded away.
	reason(item) {
		return [
			item.parts ? el('div', {class: 'stack small', 'aria-hidden': 'true'},
				stackOf(item.parts)) : null,
			el('p', {}, item.text),
			item.advice ? el('p', {class: 'advice'}, item.advice) : null,
			el('details', {}, el('summary', {}, 'Evidence'), (item.evidence || []).map(text => el('p', {}, text)),
				item.link ? null : el('p', {}, this.evidence(item)),
				item.next ? el('p', {}, 'Next: ', el('code', {}, item.next)) : null),
		];
	},

	target(item) {
		return item.line ? {line: item.line, file: item.file} : {};
	},

	// A link to where the numbers of a finding are: the line, or what is called from there.
	evidence(item) {
		const called = item.callee !== undefined;
		const target = called ? {} : this.target(item);
		const index = called ? item.callee : item.function;
		const event = item.event || choice.measure.name;
		return el('a', {href: functionLink(index, {...target, event})},
			`${event} in ${shortName(choice.profile.functions.names[index], 60)}`);
	},

	// What costs most with all that it calls, and what costs most itself: the first says which work it is, the second
	// where it is done.
	hotFunctions() {
		const {functions, charges, arcs} = choice.profile;
		// A frame of a library that only leads to the next one says nothing about the work.
		const whole = inclusiveColumn();
		const costs = choice.measure.column(arcs.costs);
		const leadsOn = i => !(charges && charges.isOwn[i]) && arcs.outOf(i).some(at =>
			arcs.to[at] !== i && !isLevel(arcs.to[at]) && costs[at] > whole[i] * 0.97);
		const isPython = isPythonProgram() && !choice.older;
		const isWork = i => !isStart(i) && !isThreadStart(i) && !isLevel(i) && !isLoader(functions.objectOf(i));
		const inclusive = () => {
			const own = isPython ? dearest(whole, MOST_HOT, i => pythonKind(i) === 0 && isWork(i)) : [];
			return this.functionTable('inclusive',
				own.length ? 'Your Python functions, with all they call' : 'Most expensive with all they call',
				'of the function and all that it calls; without what starts programs and threads',
				own.length ? own : this.hottest('inclusive', whole, i => isWork(i) && !leadsOn(i)));
		};
		return el('div', {class: 'pair'}, choice.measure.isOwn ? null : inclusive(),
			isPython ? this.pythonFunctions() : this.selfFunctions());
	},

	// Of two profiles, what changed most comes first.
	hottest(which, cost, keep) {
		const size = choice.older ? changeColumn(which).map(Math.abs) : cost;
		const least = 0.005 * Math.max(total(), choice.older ? choice.measure.sum(choice.older.totals) : 0);
		return dearest(size, MOST_HOT, i => size[i] > least && keep(i));
	},

	selfHelp(isCharged) {
		return `of the function itself${isCharged ? `; ${chargedHelp()}` : ', without what it calls'}`;
	},

	selfFunctions() {
		const charged = chargesAre('charged') ? choice.profile.charges.self : null;
		const ofCharged = charged ? this.hottest('self', choice.measure.column(charged), () => true) : [];
		// One function that is charged with everything says less than what it calls.
		const isCharged = ofCharged.length > 2;
		const costs = isCharged ? charged : choice.self;
		return this.functionTable('self',
			isCharged ? 'Most expensive, with the libraries they call' : 'Most expensive themselves', this.selfHelp(isCharged),
			this.hottest('self', choice.measure.column(costs), () => true), costs);
	},

	// Own functions before the packages'; imports, and what no Python function called, apart.
	pythonFunctions() {
		const {charges} = choice.profile;
		const isCharged = chargesAre('charged');
		const costs = isCharged ? charges.self : choice.self;
		const cost = choice.measure.column(costs);
		const whole = total();
		const most = (n, ...kinds) => dearest(cost, n, i => cost[i] > whole * 0.005 && kinds.includes(pythonKind(i)));
		const own = most(MOST_HOT, 0);
		const others = most(MOST_HOT, 1, 2);
		const top = own.slice(0, Math.max(3, MOST_HOT - others.length));
		const imports = isCharged && charges.imports >= 0 ? cost[charges.imports] :
			sumOf(cost, (value, i) => pythonKind(i) === 3 ? value : 0);
		const c = sumOf(cost, (value, i) => pythonKind(i) === 4 ? value : 0);
		return this.functionTable('self',
			`Python functions ${isCharged ? 'with their C code' : 'themselves'}, yours first`, this.selfHelp(isCharged),
			[...top, ...others.slice(0, MOST_HOT - top.length)], costs, [['imports', imports],
				[isCharged ? 'C code outside of Python functions' : 'C code', c]]);
	},

	// Of these functions, what they cost, and of others, [text, cost].
	functionTable(which, title, help, list, costs = choice[which], others = []) {
		const whole = total();
		const cost = choice.measure.column(costs);
		const mostly = choice.measure === choice.measures.stack && !choice.older ?
			[['Mostly', 'What most of these cycles are spent on: a part, or the level of memory that is waited for',
				'mostly']] : [];
		const by = choice.older ? changeColumn(which) : null;
		const head = which === 'self' ? 'Self' : 'Incl.';
		return el('section', {}, el('h2', {}, by ? title.replace('Most expensive', 'Changed most') : title,
			which === 'self' ? libraryPick('charged') : null),
		simpleTable(title, [
			[`${head} ${choice.measure.name}`, `${choice.measure.long}: ${help}`, 'number'], ...changeTitle(choice.older),
			...mostly, ['Function', 'Opens it'], ['Where', 'Its source file, or the program or library', 'home'],
		], [...list.map(i => [barCell(percent(cost[i], whole), cost[i] / whole), ...by ? [changeText(by[i])] : [],
			...mostly.map(() => mostlyOf(event => costs[event][i])), functionCell(i, by || mostly.length ? 32 : 46),
			dim(homeOf(i))]),
		...others.filter(([, value]) => value > 0).map(([text, value]) =>
			[barCell(percent(value, whole), value / whole), ...mostly.map(() => ''), dim(text), ''])]),
		which === 'self' ? el('p', {}, el('a', {href: linkTo({view: 'functions'})},
			`All ${count(choice.profile.functions.length)} functions`)) : null);
	},

	// Functions of libraries that cost most, and whose code they were called by.
	libraryCallers() {
		const {charges, functions} = choice.profile;
		if (!charges || choice.part || charges.isPython)
			return null;
		const self = selfColumn();
		const whole = total();
		const charged = self.map((cost, i) => cost * sumOf(charges.of(i), at => charges.part[at]));
		const rows = dearest(charged, 6, i => charged[i] > whole * 0.005);
		const caller = at => [el('a', {href: functionLink(charges.caller[at])},
			shortName(functions.names[charges.caller[at]], 30)),
		` ${percent(charges.part[at] * self[charges.function[at]], whole)}`];
		const callers = i => [...charges.of(i)].slice(0, 3).flatMap((at, n) => [n ? ', ' : '', ...caller(at)]);
		return rows.length ? tableSection('Library code, by the code that calls it', [
			[`Self ${choice.measure.name}`, `${choice.measure.long}, of the library\u2019s function itself`, 'number'],
			['Function, and own functions that it works for', `With their shares of all: ${chargedHelp()}`],
		], rows.map(i => [barCell(percent(self[i], whole), self[i] / whole), [functionCell(i, 48),
			el('small', {class: 'for'}, callers(i))]])) : null;
	},

	hotLines() {
		const {profile, measure} = choice;
		const places = this.linePlaces();
		const cost = places.column(measure);
		const before = profile.older ? places.column(measure, true) : null;
		const whole = measure.sum(profile.totals);
		const size = before ? cost.map((value, i) => linesMoved(measure, places.functions(i)[0]) ? 0 :
			Math.abs(value - before[i])) : cost;
		// Of a function of Python, the only line known is where it begins.
		const top = dearest(size, 8, i => size[i] > whole * 0.002 && places.line[i] &&
			profile.functions.objectOf(places.functions(i)[0]) !== '[python]');
		const cells = i => {
			const [index] = places.functions(i);
			return [barCell(percent(cost[i], whole), cost[i] / whole), ...before ? [changeText(cost[i] - before[i])] : [],
				[el('a', {href: functionLink(index, {line: places.line[i], file: places.file[i]})},
					place(profile.files[places.file[i]], places.line[i])),
				dim(` in ${shortName(profile.functions.names[index], 32)}`)]];
		};
		return top.length ? tableSection(before ? 'Lines that changed most' : 'Hottest lines', [
			[`Self ${measure.name}`, `${measure.long}, in all functions that have code of the line`, 'number'],
			...changeTitle(profile.older), ['Line', 'Opens its most expensive function there'],
		], top.map(cells)) : null;
	},

	// The findings' functions, unless functions are named there.
	linePlaces() {
		const {findings} = this;
		if (!this.places)
			this.places = findings.byLine ? findings.places : new Places(choice.profile, findings.cost, true);
		return this.places;
	},

	eventTable() {
		const {older, measures} = choice;
		const titles = [['Event', 'Its short name; a click makes it the one that is shown'],
			['Meaning', 'What is counted, or of what it is a sum'],
			['Total', 'In the whole run', 'number'], ...changeTitle(older)];
		return tableSection('Events', titles, measures.list.map(measure => {
			const now = measure.sum(choice.totals);
			const cells = [el('a', {href: linkTo({event: measure.name}), class: 'name'}, measure.name),
				measure.long, count(now)];
			return older ? [...cells, changeText(now - measure.sum(older.totals))] : cells;
		}));
	},

	// The caches that were simulated, and whose they are, so far as a profile says it; in the head, as all costs depend
	// on them.  Of two profiles, both if they are unlike, with what else there is to say about caches that are.
	machines() {
		const {headers, older} = choice.profile;
		const ofMachine = list => list.filter(header => /\b(Machine|\w+ cache): /.test(header)).sort().join('\n');
		if (!older || ofMachine(headers) === ofMachine(older.headers))
			return [this.machine(headers, 'Simulated')];
		return [this.machine(older.headers, 'Before', headers), this.machine(headers, 'Now', older.headers)];
	},

	machine(headers, title, others) {
		const [caches, beside] = [cachesOf(headers), others ? cachesOf(others) : null];
		const isUnlike = (name, {text}) => beside && beside[name] && beside[name].text !== text;
		const texts = Object.entries(caches).map(([name, cache]) =>
			el('span', {help: `${name}: ${cacheText(cache)}`, tabindex: '0'},
				`${name} ${bytes(cache.size)}, ${cache.ways === 1 ? 'direct-mapped' : `${cache.ways}-way`}` +
				(isUnlike(name, cache) && cache.text ? `, ${cache.text}` : '')));
		if (!texts.length)
			return others ? el('p', {class: 'dim meta machine'}, `${title}: no caches`) : null;
		const lines = new Set(Object.values(caches).map(cache => cache.line));
		const isShown = headers.some(header => / --deterministic=yes\b/.test(header));
		const machine = headers
			.map(header => /\bMachine: (?:host(?: \(file \w+\))?, (?=\S))?(.*?)(?:,| \(|$)/.exec(header)).find(Boolean);
		const desc = name => headers.map(header => new RegExp(`\\b${name}: (\\d+)`).exec(header)).find(Boolean);
		const [threads, cores] = [desc('Threads'), desc('Cores')];
		return el('p', {class: 'dim meta machine'}, machine ? `${title}, ${machine[1]}: ` : `${title}: `,
			texts.flatMap((text, i) => i ? ['  \u00b7  ', text] : [text]),
			lines.size === 1 ? `  \u00b7  lines of ${[...lines][0]} B` : '',
			threads ? `  \u00b7  ${threads[1]} threads ${
				cores ? `on ${cores[1]} simulated cores` : 'took turns on one simulated core'}` : '',
			machine ? '' : `  \u00b7  by the run\u2019s --I1, --D1, --LL, else ${
				isShown ? 'by --deterministic=yes' : 'as its machine has them'}`);
	},

	// What else counts depend on.
	run() {
		const {headers, older} = choice.profile;
		const texts = list => list.map(header => header.replace(/^desc: /, '')).filter(text => !/^Conflicts:/.test(text));
		const split = list => texts(list).map(text => {
			const colon = text.indexOf(':');
			return colon < 0 ? ['', text] : [text.slice(0, colon), text.slice(colon + 1).trim()];
		});
		const now = split(headers);
		const before = older ? split(older.headers) : [];
		const of = (rows, kind) => rows.filter(row => row[0] === kind).map(row => row[1]);
		const kinds = [...new Set([...now, ...before].map(row => row[0]))];
		const rows = kinds.flatMap(kind => {
			const [left, right] = [of(before, kind), of(now, kind)];
			if (!older)
				return right.map(text => [kind, text]);
			const [gone, come] = [left.filter(text => !right.includes(text)), right.filter(text => !left.includes(text))];
			return [...right.filter(text => left.includes(text)).map(text => [kind, 'the same', text]),
				...Array.from({length: Math.max(gone.length, come.length)}, (_, i) =>
					[kind, gone[i] || '\u2013', come[i] || '\u2013'])];
		});
		return rows.length ? el('details', {class: 'run'}, el('summary', {}, 'Machine and run'),
			simpleTable('Machine and run', [['What', 'What counts depend on, as the profile says it'],
				...older ? [['Before', 'As it was in the older run'], ['Now', 'As it was in this run']] :
					[['How', 'As it was in this run']]], rows)) : null;
	},

	partTable() {
		const {parts, partSelf} = choice.profile;
		if (parts.length < 2)
			return null;
		const chosen = Number(get('part') || 0);
		const has = text => parts.some(text);
		const when = part => [part.trigger, part.range].filter(Boolean).join(', ');
		const rows = parts.map((part, i) => [
			part.name, ...has(when) ? [when(part)] : [], count(choice.measure.sum(part.totals)),
			...has((_, k) => partSelf[k]) ? [partSelf[i] ? [el('a', {href: linkTo({part: i + 1, with: ''})}, 'show'),
				chosen && chosen !== i + 1 ? [' ', el('a', {href: linkTo({with: i + 1})}, 'compare')] : null] : ''] : [],
		]);
		const note = partSelf.length ? null : el('p', {class: 'dim'},
			'They are too many for what functions cost in each: costgrind report --part=, --thread= takes in fewer.');
		return el('section', {}, el('h2', {}, 'Parts and threads'), note, simpleTable('Parts and threads', [
			['Part', 'Its number, and Valgrind\u2019s number of the thread'],
			...has(when) ? [['Why, when', 'What made the part be written, and which blocks it is of']] : [],
			[choice.measure.name, choice.measure.long, 'number'],
			...has((_, k) => partSelf[k]) ? [['Choose', 'show: the costs of this part alone; compare: the chosen part\u2019s ' +
				'minus this one\u2019s']] : [],
		], rows));
	},

	// What is in the page besides the profile: who passes it on should know.
	takenTable() {
		const {taken, refused} = choice.profile;
		const lines = sumOf(taken, file => file.lines);
		const parts = taken.length ? [simpleTable('Source files in this page', [['File', 'Where it was read'],
			['Lines', 'How many of its lines are in this page', 'number']],
		taken.map(({path, lines}) => [path, count(lines)]))] : [el('p', {class: 'dim'}, 'None.')];
		if (refused.length)
			parts.push(el('p', {class: 'dim'}, 'Not read, since nothing but the profile names them; --include=FOLDER of ' +
				`costgrind report allows them: ${refused.join(', ')}`));
		return el('section', {'aria-label': 'Source files in this page'}, el('h2', {}, taken.length ?
			`Source files in this page: ${count(taken.length)}, ${count(lines)} lines` : 'Source files in this page'), ...parts);
	},

	leftOut() {
		const {leftOut, detail} = choice.profile;
		if (!leftOut || !leftOut.functions)
			return null;
		const {measure, profile} = choice;
		const costs = Array.isArray(leftOut.costs) ? measure.sum(leftOut.costs.map(Number)) : 0;
		return el('p', {class: 'dim'}, `Lines, source and machine code of ${count(leftOut.functions)} functions are ` +
			`left out: each has less than ${percent(detail, 1)} of every event` +
			(costs ? `; together ${percent(costs, measure.sum(profile.totals))} of ${measure.name}` : '') +
			'. Their totals and calls are here; --detail= of costgrind report takes in more.');
	},
};

function stackOf(parts, whole = sumOf(parts, part => part.value)) {
	return parts.map(part => el('span', {
		class: part.kind, vars: {'--share': String(part.value / whole)},
		help: `${part.text}: ${count(part.value)}, ${percent(part.value, whole)}${part.help ? `: ${part.help}` : ''}`,
	}));
}

// -- the bar, the views, the keys --

// The page itself: the bar on top, the views, the keys that work everywhere.

// From the seventh on, they are there if the profile has what they show.
const VIEWS = [lookView, functionsView, functionView, flameView, graphView, mapView, branchesView, typesView,
	objectsView, rooflineView, regionsView];
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

	// The ones of the view that is shown.
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
		const names = measures.list.map(measure => [measure.name, measureText(measure)]);
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
