// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as people read them.

// Cycles are counted in tenths, which say something of small counts only.
const TENTHS = new Intl.NumberFormat('en-US', {maximumFractionDigits: 1});
const WHOLE = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
const SHORT = new Intl.NumberFormat('en-US', {notation: 'compact', maximumSignificantDigits: 3});

// Counts that a number of JavaScript does not hold to the last digit.
const ABOUT = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 15});

function isAbout(value) {
	return Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isFinite(value);
}

function formatOf(value) {
	return Math.abs(value) < 1000 ? TENTHS : isAbout(value) ? ABOUT : WHOLE;
}

function count(value) {
	return (isAbout(value) ? '\u2248\u00a0' : '') + formatOf(value).format(value);
}

function shortCount(value) {
	return Math.abs(value) < 10000 ? formatOf(value).format(value) : SHORT.format(value);
}

// A change always has its sign.
function change(value) {
	const text = (value > 0 ? '+' : '') + formatOf(value).format(value).replace('-', '\u2212');
	return (isAbout(value) ? '\u2248\u00a0' : '') + text;
}

function shortChange(value) {
	return (value > 0 ? '+' : '') + shortCount(value).replace('-', '\u2212');
}

// Nothing if it is the same; more is not worse of itself.
function countChange(now, before) {
	return now === before ? '' : `\u0394 ${change(now - before)}`;
}

function percent(part, whole) {
	if (!whole)
		return '\u2013';
	const value = part / whole * 100;
	const size = Math.abs(value);
	if (size !== 0 && size < 0.01)
		return (value < 0 ? '\u2212' : '') + '<0.01\u00a0%';
	return value.toFixed(size < 10 ? 2 : 1).replace('-', '\u2212') + '\u00a0%';
}

// A quotient; per call it may be large, per instruction small.
function quotient(value) {
	if (!Number.isFinite(value))
		return '\u2013';
	const size = Math.abs(value);
	if (size >= 1000)
		return WHOLE.format(value);
	return size === 0 ? '0' : value.toPrecision(3);
}

function bytes(value) {
	// What is no whole number of MiB, but many: "43.9 MiB".
	if (value > 10 << 20 && value % (1 << 20))
		return `${(value / (1 << 20)).toFixed(1)} MiB`;
	for (const unit of ['B', 'KiB', 'MiB'])
		if (value < 1024 || value % 1024 && unit !== 'B' || unit === 'MiB')
			return `${count(value)} ${unit}`;
		else
			value /= 1024;
	return '';
}

function baseName(path) {
	return path.slice(path.lastIndexOf('/') + 1) || path;
}

function fileName(path) {
	return path === '' || path === '???' ? '(unknown file)' : baseName(path);
}

function place(path, line) {
	return line ? `${fileName(path)}:${line}` : fileName(path);
}

function address(value) {
	return '0x' + value.toString(16);
}

// -- names --

// Names of functions where there is little room: template arguments are folded first, the innermost
// before the others, then the arguments, then classes around them are left out; what is still too long is cut
// in the middle.  names=full in the address folds nothing, names=short always.

const NAME_STEPS = [['', 'short where there is no room'], ['short', 'short'], ['full', 'in full']];

const TEXT_STRING = /std::(?:__cxx11::)?basic_string<char, std::char_traits<char>, std::allocator<char> ?>/g;
// Angles that are no brackets.
const ANGLED = /\boperator ?(?:<=>|<<=|>>=|->\*|<<|>>|<=|>=|->|<|>)|->/y;

// Template arguments nested deeper than that become an ellipsis. What is not balanced stays as it is.
function foldTemplates(name, depth) {
	// Of each bracket that is open, whether arguments are in it: Rust's <T as U> is a name.
	const open = [];
	let inside = 0;
	let folded = '';
	for (let i = 0; i < name.length; i++) {
		ANGLED.lastIndex = i;
		const found = (name[i] === 'o' || name[i] === '-') && ANGLED.exec(name);
		const sign = found ? found[0] : name[i];
		const shown = inside <= depth;
		if (found && shown) {
			folded += sign;
		} else if (sign === '<') {
			open.push(/(?:[\w>]|\boperator ?\S+) ?$/.test(name.slice(Math.max(0, i - 14), i)));
			folded += !shown ? '' : open.at(-1) && inside === depth ? '<\u2026' : '<';
			inside += open.at(-1) ? 1 : 0;
		} else if (sign === '>') {
			if (!open.length)
				return name;
			inside -= open.pop() ? 1 : 0;
			folded += inside <= depth ? '>' : '';
		} else if (shown) {
			folded += sign;
		}
		i += sign.length - 1;
	}
	return open.length ? name : folded;
}

// The list of a function's arguments: the last one, as what is before it may be a type, or a function around this one.
function foldArguments(name) {
	const end = name.lastIndexOf(')');
	let depth = 0;
	for (let i = end; i > 0; i--) {
		depth += name[i] === ')' ? 1 : name[i] === '(' ? -1 : 0;
		if (depth === 0)
			return end - i > 2 && /[\w>)}\]=+*\/%^&|!~<-]/.test(name[i - 1]) ?
				`${name.slice(0, i)}(\u2026)${name.slice(end + 1)}` : name;
	}
	return name;
}

// The last parts of a name whose template arguments are folded: of a::b<...>::c(...), c or b<...>::c.
function lastParts(name, parts) {
	const words = foldArguments(name).replace(/\(\u2026\).*$/, '').split('::');
	const last = words.slice(-parts).join('::');
	const signs = last.replace(/operator ?[<>=-]+/, '');
	// Rust's <T as a::b>::c is not to be cut within the brackets.
	return words.length > parts && signs.split('<').length === signs.split('>').length ? last : name;
}

// The one spelling of a name that the page has: std::string is an alias, and demanglers disagree on "> >".
function plainName(name) {
	const short = name.includes('basic_string<') ?
		name.replace(TEXT_STRING, 'std::string').replaceAll('std::string >', 'std::string>') : name;
	return short.includes('> >') ? short.replace(/> (?=>)/g, '>') : short;
}

// Names that are addresses, without the zeros in front that all of them have.
function withoutZeros(name) {
	return name.replace(/^0x0+(?=[1-9a-f][0-9a-f]*(?:\W|$))/, '0x');
}

// What a search for a name looks at: what is shown in short is found, too.
function searched(name) {
	if (!name.includes('<'))
		return withoutZeros(name) === name ? name : `${name}\n${withoutZeros(name)}`;
	const plain = plainName(name);
	return `${name}\n${plain === name ? '' : plain}\n${foldTemplates(plain, 0).replaceAll('<\u2026>', '')}`;
}

// Ever shorter forms of names.
const formsMade = new Map();
function formsOf(name) {
	let forms = formsMade.get(name);
	if (!forms) {
		const plain = plainName(name);
		const least = foldTemplates(plain, 0);
		forms = [plain, foldTemplates(plain, 2), foldTemplates(plain, 1), least, foldArguments(least),
			lastParts(least, 2), lastParts(least, 2).replaceAll('<\u2026>', ''),
			lastParts(least, 1), lastParts(least, 1).replaceAll('<\u2026>', '')];
		formsMade.set(name, forms);
	}
	return forms;
}

function cutMiddle(text, length) {
	if (text.length <= length)
		return text;
	const head = Math.ceil((length - 1) * 0.6);
	return text.slice(0, head) + '\u2026' + text.slice(text.length - Math.max(0, length - 1 - head));
}

// The longest form for which fits() holds; forms get shorter and shorter; the first three are not short.
function fitted(whole, fits, forms = formsOf) {
	const mode = get('names');
	const name = mode === 'full' ? whole : plainName(withoutZeros(whole));
	if (mode !== 'short' && fits(name))
		return name;
	const list = mode === 'full' ? [name] : mode === 'short' ? forms(name).slice(3) : forms(name);
	const form = list.find(fits);
	if (form !== undefined)
		return form;
	const last = list.at(-1);
	let low = 2;
	let high = last.length;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (fits(cutMiddle(last, middle)))
			low = middle;
		else
			high = middle - 1;
	}
	return cutMiddle(last, low);
}

// Rounded to that many characters.
function shorten(text, length) {
	return fitted(text, form => form.length <= length);
}

// The same, but a name that would lose its class keeps some of it: that is what tells operators apart.
function shortName(name, length) {
	const short = shorten(name, length);
	const forms = formsOf(withoutZeros(name));
	const [last, bare] = [forms.at(-1), forms.at(-3)];
	if (get('names') === 'full' || short !== last || !bare.endsWith(`::${last}`))
		return short;
	const tail = `::${last.replace(/(?<!operator ?)\((?:\u2026)?\)(?: const)?$/, '')}`;
	const room = length - tail.length;
	return room < 5 ? short : cutMiddle(bare.slice(0, -last.length - 2), room) + tail;
}

// To pixels, in the font of an element: what is left of its width.
const WHOLE_ROOM = {pixels: Infinity, font: ''};
const ruler = document.createElement('canvas').getContext('2d');

function roomIn(element, less = 18) {
	const {fontFamily} = getComputedStyle(element);
	return {pixels: element.clientWidth - less, font: `14px ${fontFamily}`};
}

function fittedTo(name, room, forms = formsOf) {
	// On paper, names may have several lines, but a list has to be read, too.
	if (room.pixels === Infinity)
		return get('names') === 'full' ? name : fitted(name, form => form.length <= 110, forms);
	ruler.font = room.font;
	return fitted(name, form => ruler.measureText(form).width <= room.pixels, forms);
}

// A link with as much of a function's name as there is room for; all of it is for the mouse, and for who hears it.
function nameLink(index, room) {
	const name = choice.profile.functions.names[index] || '(no name)';
	const shown = fittedTo(name, room);
	const cut = shown !== name;
	return el('a', {href: functionLink(index), tabindex: '-1', 'aria-label': cut ? name : null,
		help: cut ? name : null}, shown);
}
