// SPDX-License-Identifier: GPL-3.0-or-later
// cards.js HTML RAW [EXPRESSION]: the cards of a report, by the page's own code, without a browser: RAW is its data as
// tests/report.py raw prints it.  With an expression, what that is in the page.
const fs = require('fs'), vm = require('vm');

const [page, raw, expression] = process.argv.slice(2);
const script = /<script>([\s\S]*?)<\/script>/.exec(fs.readFileSync(page, 'utf8'))[1];
// Whatever is asked of the document is this.
const nothing = new Proxy(function() {}, {
	get: (_, key) => key === Symbol.toPrimitive ? () => '' : nothing, apply: () => nothing, construct: () => nothing, set: () => true,
});
const context = vm.createContext({
	document: nothing, matchMedia: () => nothing, history: nothing, location: nothing, addEventListener: () => nothing,
	window: nothing, getComputedStyle: () => nothing, ResizeObserver: nothing, URLSearchParams, console,
	raw: JSON.parse(fs.readFileSync(raw, 'utf8')),
});
vm.runInContext(script.replace(/\bmain\(\);\s*$/, ''), context);
vm.runInContext(`
	choice.profile = profileOf(unpackReport(raw));
	choice.measures = measuresOf(choice.profile);
	choice.measure = choice.measures.first;
	Object.assign(choice, {totals: choice.profile.totals, self: choice.profile.functions.self});
	function card(item) {
		const {files, functions} = choice.profile;
		const where = item.name ? item.name : item.line ? place(files[item.file], item.line) : functions.names[item.function];
		return ['== ' + where + ' (' + [...new Set(item.reasons.map(reason => reason.title))].join('  ') + ')',
			...item.reasons.flatMap(reason => [reason.text, reason.advice && '-> ' + reason.advice,
				...(reason.evidence || []).map(text => '   ' + text)])].filter(Boolean).join('\\n');
	}`, context);
console.log(String(vm.runInContext(expression || 'new Findings().all().map(card).join("\\n")', context))
	.replaceAll('\u00a0', ' '));
