/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what the report is of. */
'use strict';
(async function () {
	const bytes = Uint8Array.from(atob(document.getElementById('data').textContent.trim()),
		(c) => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
	const data = unpackReport(JSON.parse(await new Response(stream).text()));

	document.getElementById('main').textContent = data.title;
})();
