// SPDX-License-Identifier: GPL-3.0-or-later
//
//	node speedscope.js PACKAGE FILE
//
// What speedscope's importer makes of a file: of each profile in it, words with tabs between
// them, "profile NAME TOTAL SUM", where SUM adds up the own costs of all frames, and then
// "frame NAME OWN" for each of them.
//
// The package (its directory is named) is no library, but what is served to browsers.  It is run
// here as far as the place where it has its importer; what comes after that draws.
'use strict';

const fs = require('fs');
const path = require('path');
const vm = require('vm');

function importer(directory) {
	const release = path.join(directory, 'dist', 'release');
	const file = fs.readdirSync(release).find((name) => /^speedscope-.*\.js$/.test(name));
	const text = fs.readFileSync(path.join(release, file), 'utf8');
	// A variable with the promise of a module, awaited in the functions that import.
	const match = /\(await (\w+)\)\.importProfilesFromArrayBuffer\(/.exec(text);
	const made = match && new RegExp(`var ${match[1]}=Promise\\.resolve\\(\\).*?\\)\\);`).exec(text);

	if (!made)
		throw new Error(`${file} is not as it was: where is its importer?`);

	const end = made.index + made[0].length;

	globalThis.window = { location: { hash: '' } };
	vm.runInThisContext(`${text.slice(0, end)}globalThis.importer=${match[1]};return;` +
		text.slice(end), { filename: file });
	return globalThis.importer;
}

async function main(directory, file) {
	const say = console.log;

	console.log = () => {};

	const { importProfilesFromArrayBuffer } = await importer(directory);
	const group = await importProfilesFromArrayBuffer(path.basename(file),
		new Uint8Array(fs.readFileSync(file)).buffer);

	for (const profile of group.profiles) {
		const frames = [];
		let sum = 0;

		profile.forEachFrame((frame) => {
			sum += frame.getSelfWeight();
			frames.push(['frame', frame.name, frame.getSelfWeight()]);
		});
		say(['profile', profile.getName(), profile.getTotalWeight(), sum].join('\t'));
		frames.forEach((frame) => say(frame.join('\t')));
	}
}

main(...process.argv.slice(2)).catch((error) => {
	console.error(error.message);
	process.exitCode = 1;
});
