// SPDX-License-Identifier: GPL-3.0-or-later
// cards.js HTML RAW [EXPRESSION]: the cards of a report, by the page's own code, without a browser: RAW is its data as
// tests/report.py raw prints it.  With an expression, what that is in the page.
// cards.js HTML -- EXPRESSION HTML...: a line each, "NAME: what it is", with the data of those pages.
const fs = require('fs'), path = require('path'), vm = require('vm'), zlib = require('zlib');

const [page, raw, expression, ...pages] = process.argv.slice(2);
const script = /<script>([\s\S]*?)<\/script>/.exec(fs.readFileSync(page, 'utf8'))[1];
// Whatever is asked of the document is this.
const nothing = new Proxy(function() {}, {
	get: (_, key) => key === Symbol.toPrimitive ? () => '' : nothing, apply: () => nothing, construct: () => nothing, set: () => true,
});

function evaluated(data) {
	const context = vm.createContext({
		document: nothing, matchMedia: () => nothing, history: nothing, location: nothing, addEventListener: () => nothing,
		window: nothing, getComputedStyle: () => nothing, ResizeObserver: nothing, URLSearchParams, console,
		raw: JSON.parse(data),
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
	return String(vm.runInContext(expression || 'new Findings().all().map(card).join("\\n")', context))
		.replaceAll('\u00a0', ' ');
}

function dataOf(file) {
	const [, packed] = /id="data"[^>]*>([^<]*)</.exec(fs.readFileSync(file, 'utf8'));
	return zlib.gunzipSync(Buffer.from(packed, 'base64'));
}

if (raw !== '--')
	console.log(evaluated(fs.readFileSync(raw, 'utf8')));
for (const file of pages)
	console.log(`${path.basename(file)}: ${evaluated(dataOf(file))}`);
