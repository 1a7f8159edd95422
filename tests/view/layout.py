# SPDX-License-Identifier: GPL-3.0-or-later
"""How the report's page is laid out: widths, names, paper, addresses, and what people need who do not see well.

Functions are tests as in report.py, which calls them.
"""

import base64
import re
import urllib.parse
import zlib

HASH = 'return decodeURIComponent(location.hash)'
VIEWS = ['', 'functions', 'function', 'flame', 'graph', 'map']

# Texts whose colour is not 4.5 times as light or dark as their background: [text, ratio].
CONTRAST = '''
const parse = text => {
    const [r, g, b, a = 1] = (text.match(/[-\\d.e]+/g) || [0, 0, 0, 0]).map(Number);
    return text.startsWith('color(') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
};
const over = (top, below) => top.slice(0, 3).map((value, i) => value * top[3] + below[i] * (1 - top[3])).concat(1);
const light = colour => colour.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const backdrop = element => {
    const chain = [];
    for (let at = element; at; at = at.parentElement) {
        chain.push(parse(getComputedStyle(at).backgroundColor));
        const bar = getComputedStyle(at).backgroundImage.match(/gradient\\([^,]*, *((?:rgb|color)[^)]*\\))/);
        if (bar)
            chain.push(parse(bar[1]));
        if (at.matches('.box'))
            chain.push(parse(getComputedStyle(at.querySelector('rect')).fill));
    }
    return chain.reduceRight((below, top) => over(top, below), [255, 255, 255, 1]);
};
const bad = new Map();
for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.data).join('').trim();
    const style = getComputedStyle(element);
    if (!text || !element.getClientRects().length || style.visibility !== 'visible' || element.closest(':disabled') ||
        element.closest('.dimmed, .above, option, script, style'))
        continue;
    const back = backdrop(element);
    const ink = over(parse(element instanceof SVGElement ? style.fill : style.color), back);
    const [a, b] = [light(ink), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5)
        bad.set(`${element.tagName} ${element.getAttribute('class') || ''} in ${element.parentElement.className.baseVal ??
            element.parentElement.className}`, `${text.slice(0, 30)} ${ratio.toFixed(2)}`);
}
return [...bad]'''


# All of an element is within the window, or within another element.
INSIDE = '''
const box = document.querySelector(arguments[0]).getBoundingClientRect();
const around = arguments[1] ? document.querySelector(arguments[1]).getBoundingClientRect() :
    {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
return box.left >= around.left - 1 && box.right <= around.right + 1 &&
    box.top >= around.top - 1 && box.bottom <= around.bottom + 1'''
SHOWN = 'return [...document.querySelectorAll(arguments[0])].filter(e => e.getClientRects().length).length'
# Cells whose texts do not fit.
CUT = '''
return [...document.querySelectorAll(arguments[0])].filter(cell => cell.getClientRects().length &&
    cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent)'''


def sees_classes(browser):
    """True if the test's scripts see the page's classes; in Firefox they see its functions and variables."""
    return browser.run('return typeof RowWindow') == 'function'


def panes(seen, report, long):
    """In 1280 pixels, all of the source and of the machine code can be read."""
    browser = seen.browser
    browser.size(1280, 800)
    browser.open(report, '#view=function&fn=transform')
    seen.same('no cost, line or address is cut', browser.run(CUT, '.pane .row .cell:not(.text)'), [])
    for pane in ('source', 'code'):
        ends = browser.run('''
            const table = document.querySelector(`.${arguments[0]} .rows`);
            table.scrollLeft = 10000;
            const right = [...table.querySelectorAll('.row .text code')].map(code => code.getBoundingClientRect().right);
            const left = table.querySelector('.row .cell').getBoundingClientRect().left;
            const found = [Math.max(...right) <= table.getBoundingClientRect().right,
                Math.abs(left - table.getBoundingClientRect().left) < 2];
            table.scrollLeft = 0;
            return found''', pane)
        seen.same(f'{pane}: the longest text can be scrolled to, the costs stay', ends, [True, True])
    wide = 'return document.querySelector(".pane.source").clientWidth'
    before = browser.run(wide)
    browser.run('document.querySelector(".splitter.upright").focus()')
    browser.keys('Right', 'Right')
    after = browser.run(wide)
    seen.check('the bar between the panes goes by keys', after > before + 30, [before, after])
    seen.check('and says where it is', browser.run(
        'const s = document.querySelector(".splitter.upright"); return s.getAttribute("role") === "separator" && '
        'Math.abs(s.getAttribute("aria-valuenow") - document.querySelector(".pane.source").clientWidth / '
        's.parentElement.clientWidth * 100) < 2'))
    place = browser.run('const b = document.querySelector(".splitter.upright").getBoundingClientRect(); '
                        'return [Math.round(b.left + b.width / 2), Math.round(b.top + b.height / 2)]')
    browser.drag(place, [place[0] - 200, place[1]])
    dragged = browser.run(wide)
    seen.check('and by the mouse', abs(after - 200 - dragged) < 8, [after, dragged])
    browser.keys('m')
    seen.same('m hides the machine code', [browser.run(SHOWN, '.pane.code'), 'code=0' in browser.run(HASH)], [0, True])
    seen.check('the source has all the room', browser.run(wide) > 1200, browser.run(wide))
    browser.open(report, '#view=function&fn=transform&code=0')
    seen.same('so does the address', browser.run(SHOWN, '.pane.code'), 0)
    browser.click('.hider')
    seen.same('a button shows it again', browser.run(SHOWN, '.pane.code'), 1)
    browser.open(long, '#view=function&fn=climb')
    why = browser.run('return document.querySelector(".hider").dataset.help')
    seen.check('without machine code, the source has all the room', browser.run(wide) > 1200 and '--dump-instr=yes' in why, why)


def changes(seen, report):
    """With changes, all columns have room in 1280 pixels, and their numbers in them."""
    browser = seen.browser
    browser.size(1280, 800)
    for fragment in ('#view=functions', '#view=function&fn=main', '#view=function&fn=transform'):
        browser.open(report, fragment)
        seen.same(f'{fragment}: no number is cut', browser.run(CUT, '.row .cell.number, .row .bar'), [])
        seen.same(f'{fragment}: all columns are in sight', browser.run(
            'return [...document.querySelectorAll(".view > .rows, .relations section:not(.none) .rows")].filter('
            'table => table.scrollWidth > table.clientWidth).length'), 0)


def phone(seen, report):
    """In 375 pixels, one thing at a time, for fingers."""
    browser = seen.browser
    browser.size(375, 800)
    for view in VIEWS:
        browser.open(report, f'#view={view}&fn=transform')
        name = view or 'the first page'
        seen.check(f'the tab of {name} is in sight', browser.run(INSIDE, 'nav .chosen', 'nav'))
        low = browser.run('''
            return [...document.querySelectorAll('a, button, select, input, .row')]
                .filter(e => e.getClientRects().length && !e.closest('.row a, .rows .row .cell'))
                .filter(e => e.getBoundingClientRect().height < 32)
                .map(e => `${e.tagName} ${e.className} ${e.textContent}`.slice(0, 60))''')
        seen.same(f'{name}: what is touched is 32 pixels high', low, [])
    browser.open(report)
    tiles = browser.run('return [...document.querySelectorAll(".tile")].map(tile => [tile.textContent, tile.dataset.help])')
    seen.check('misses per thousand instructions are spelled out', any(
        'D1 misses per 1,000 instr.' in text and 'for each thousand instructions (MPKI)' in tip
        for text, tip in tiles), tiles)
    parts = 'return ["section[aria-label=Callers]", "section[aria-label=Callees]", ".pane.source", ".pane.code"]' \
        '.map(s => document.querySelector(s).getClientRects().length)'
    browser.open(report, '#view=function&fn=transform')
    seen.same('of a function, the source is shown', browser.run(parts), [0, 0, 1, 0])
    for number, want in enumerate([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], 1):
        browser.click(f'.segments button:nth-child({number})')
        seen.same(f'switch {number}', browser.run(parts), want)
    room = browser.run('return document.querySelector(".code .rows").clientHeight')
    seen.check('it has half of the height', room > 400, room)
    seen.check('a cost can be read', browser.run(CUT, '.code .cell.heat') == [], browser.run(CUT, '.code .cell.heat'))
    browser.open(report, '#view=graph&fn=main')
    seen.same('the call graph fits', browser.run(
        'const p = document.querySelector(".picture"); return p.scrollWidth <= p.clientWidth'), True)
    rows = browser.run('return new Set([...document.querySelectorAll(".box rect")].map(r => r.getAttribute("y"))).size')
    seen.check('its layers are below each other', rows >= 3, rows)
    seen.quiet('phone')


STRING = 'std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >'
FORMS = [
    (f'std::map<{STRING}, std::vector<double, std::allocator<double> > >::operator[]({STRING} const&)', [
        (1000, 'std::map<std::string, std::vector<double, std::allocator<double>>>::operator[](std::string const&)'),
        (80, 'std::map<std::string, std::vector<\u2026>>::operator[](std::string const&)'),
        (50, 'std::map<\u2026>::operator[](std::string const&)'), (30, 'std::map<\u2026>::operator[](\u2026)'),
        (20, 'map<\u2026>::operator[]'), (12, 'operator[]'), (5, 'ope\u20265'[:4] + ']')]),
    (f'bool std::operator< <char, int>({STRING} const&)', [(30, 'bool std::operator< <\u2026>(\u2026)')]),
    ('std::ostream& std::operator<< <int>(std::ostream&)', [(42, 'std::ostream& std::operator<< <\u2026>(\u2026)')]),
    ('a<(b)1>::operator->() const', [(25, 'a<\u2026>::operator->() const')]),
    ('<alloc::vec::Vec<T, A> as core::ops::Drop>::drop', [
        (45, '<alloc::vec::Vec<\u2026> as core::ops::Drop>::drop'), (44, '<alloc::vec::Vec as core::ops::Drop>::drop'),
        (41, 'drop')]),
    ('(anonymous namespace)::f<a<b>>(c<d>, e)', [(30, '(anonymous namespace)::f<\u2026>(\u2026)')]),
    ('broken<name', [(11, 'broken<name'), (6, 'bro\u2026me')]),
]


def names(seen, report):
    """Long names of C++ lose what matters least, and are there as a whole for who points at them."""
    browser = seen.browser
    browser.size(1280, 800)
    browser.open(report, '#view=functions')
    for name, forms in FORMS:
        for room, want in forms:
            seen.same(f'{name[:30]} in {room} letters', browser.run('return shorten(...arguments)', name, room), want or name)
    name = '__gnu_cxx::__normal_iterator<int*, std::vector<int> >::operator*() const'
    for room, want in ((80, name.replace(' >', '>')), (60, '__gnu_cxx::__normal_iterator<\u2026>::operator*() const'),
                       (42, '__normal_iterator<\u2026>::operator*() const'), (36, '__normal_iterator::operator*() const'),
                       (32, '__normal_iterator::operator*'), (20, '__nor\u2026tor::operator*'), (15, 'operator*')):
        shown = browser.run('return shortName(...arguments)', name, room)
        seen.check(f'of an operator, the class in {room} letters', shown.startswith(want), shown)
    seen.same('no name is cut by its cell', browser.run(CUT, '.row .cell:has(> a)'), [])
    browser.open(report, '#view=function&fn=main')
    seen.same('nor names of callees', browser.run(CUT, '.relations .cell:has(> a)'), [])
    seen.same('calls in the source are in sight', browser.run('''
        const right = document.querySelector('.source .rows').getBoundingClientRect().right;
        return [...document.querySelectorAll('.source .calls')].filter(e => e.getBoundingClientRect().right > right)
            .map(e => e.textContent)'''), [])
    browser.open(report, '#view=functions')
    links = 'return [...document.querySelectorAll(".row a")].map(a => [a.textContent, a.ariaLabel, a.dataset.help])'
    cut = [link for link in browser.run(links) if '\u2026' in link[0]]
    seen.check('there are some', len(cut) > 0, browser.run(links))
    seen.check('whose whole names are heard and shown', all(link[1] and link[1] == link[2] and len(link[1]) > len(link[0])
                                                           for link in cut), cut)
    browser.run('document.activeElement.blur()')
    browser.keys('T')
    seen.check('T: short', 'names=short' in browser.run(HASH), browser.run(HASH))
    shown = [link[0] for link in browser.run(links)]
    seen.check('all of them', not any('<' in name and '<\u2026' not in name and 'operator' not in name for name in shown), shown)
    browser.keys('T')
    seen.check('T again: in full', 'names=full' in browser.run(HASH), browser.run(HASH))
    seen.check('nothing is folded', not any('<\u2026' in link[0] for link in browser.run(links)), browser.run(links))
    for words in ('std::map::find', 'find(std::string const&)', 'std::allocator<char> > const&'):
        browser.open(report, f'#view=functions&q={urllib.parse.quote(words)}')
        seen.check(f'what is shown in short is found: {words}', any(
            'find' in link[0] for link in browser.run(links)), browser.run(links))
    for view in ('flame', 'graph', 'map'):
        browser.open(report, f'#view={view}')
        wide = browser.run('''
            return [...document.querySelectorAll('.box')].filter(box => box.querySelector('text') &&
                box.querySelector('text').getBBox().width > box.querySelector('rect').getBBox().width + 1)
                .map(box => box.textContent)''')
        seen.same(f'{view}: names stay in their boxes', wide, [])
    seen.quiet('names')


def graph(seen, report, dense):
    """The call graph takes all the room, and its labels lie on nothing."""
    browser = seen.browser
    browser.size(1280, 800)
    browser.open(report, '#view=graph&fn=main&levels=3')
    middle = browser.run('''
        const boxes = [...document.querySelectorAll('.box rect')].map(rect => rect.getBoundingClientRect());
        const room = document.querySelector('.picture').getBoundingClientRect();
        const [left, right, top, bottom] = [Math.min(...boxes.map(b => b.left)), Math.max(...boxes.map(b => b.right)),
            Math.min(...boxes.map(b => b.top)), Math.max(...boxes.map(b => b.bottom))];
        return [left - room.left - (room.right - right), top - room.top - (room.bottom - bottom)]''')
    seen.check('it is in the middle', all(abs(off) < 60 for off in middle), middle)
    overlaps = '''
        const inner = e => { const b = e.getBoundingClientRect();
            return {left: b.left + 1, right: b.right - 1, top: b.top + 2, bottom: b.bottom - 2}; };
        const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const labels = [...document.querySelectorAll('.graph .cost')];
        const others = [...document.querySelectorAll('.box rect'), ...labels];
        return labels.filter(a => others.some(b => a !== b && meet(inner(a), inner(b)))).map(a => a.textContent)'''
    seen.same('no label lies on a box or another label', browser.run(overlaps), [])
    width = 'return document.querySelector("svg.graph").getBoundingClientRect().width'
    before = browser.run(width)
    browser.run('document.activeElement.blur()')
    browser.keys('+', '+')
    larger = browser.run(width)
    browser.keys('-')
    smaller = browser.run(width)
    browser.keys('0')
    whole = browser.run('const p = document.querySelector(".picture"); return p.scrollWidth <= p.clientWidth && '
                        'p.scrollHeight <= p.clientHeight')
    seen.check('+ - 0', larger > before * 1.5 and smaller < larger and whole, [before, larger, smaller, whole])
    browser.run('document.querySelector(".picture").dispatchEvent(new WheelEvent("wheel", '
                '{ctrlKey: true, deltaY: -200, cancelable: true, clientX: 600, clientY: 400}))')
    seen.check('ctrl and the wheel', browser.run(width) > smaller, browser.run(width))
    fits = 'const p = document.querySelector(".picture"); return [p.scrollWidth <= p.clientWidth && ' \
        'p.scrollHeight <= p.clientHeight, document.querySelectorAll(".box").length, ' \
        'document.querySelector(".box rect").getBoundingClientRect().height / 39, ' \
        'Number(document.querySelector(".status").textContent.match(/(\\d+) cheaper/)[1])]'
    browser.open(dense, '#view=graph&fn=middle&least=1')
    whole, most, _, left = browser.run(fits)
    seen.check('what was chosen is there', not whole and most > 40, [whole, most, left])
    browser.open(dense, '#view=graph&fn=middle')
    whole, shown, scale, more = browser.run(fits)
    seen.check('else as much as can be read', whole and shown > 15 and scale >= 0.59, [whole, shown, scale])
    seen.same('what is left out is counted', more - left, most - shown)
    seen.quiet('graph')


def recursion(seen, report, cycle):
    """What inner calls of a recursion cost is counted in outer ones, too: it is no share of anything."""
    browser = seen.browser
    browser.size(1280, 800)
    browser.open(report, '#view=function&fn=climb&event=Ir')
    rows = browser.run('return [...document.querySelectorAll("section[aria-label=Callers] .row")].map(row => '
                       '[row.querySelector(".full").textContent, row.querySelector("small").textContent, '
                       'row.querySelector("a").textContent])')
    seen.same('callers', rows, [['360', '\u21ba', 'climb'], ['90', '47.4\u00a0%', 'main']])
    seen.check('calls of itself are told apart', browser.run('return document.querySelector(".meta").textContent')
               .endswith('called once, and 9 times by itself'), browser.run('return document.querySelector(".meta").textContent'))
    seen.check('said in the title', 'within a recursion' in browser.run(
        'return document.querySelector("section[aria-label=Callers] h2").textContent'))
    seen.check('and on the sign', 'counted in all outer ones' in browser.run(
        'return document.querySelector(".row .again").dataset.help'))
    seen.check('in the source, too', browser.run('return document.querySelector(".source .row.call .again") !== null'))
    browser.open(report, '#view=graph&fn=climb&event=Ir')
    labels = browser.run('return [...document.querySelectorAll(".graph .cost")].map(text => text.textContent)')
    seen.same('labels of arcs', sorted(labels), sorted(['\u21ba 9\u00d7', '47.4\u00a0% \u00b7 1\u00d7']))
    seen.check('a note', 'recursion' in browser.run('return document.querySelector(".status").textContent'))
    without = 'inclusive costs are without calls within the cycle'
    for view, texts in (('function', 'return document.querySelector(".meta").textContent'),
                        ('functions', 'return document.querySelector(".head button").dataset.help'),
                        ('graph', 'return document.querySelector(".box.centre").dataset.help')):
        browser.open(cycle, f'#view={view}&fn=even')
        seen.check(f'inclusive cost of a member of a cycle: {view}', without in browser.run(texts), browser.run(texts))
    for view in VIEWS:
        browser.open(report, f'#view={view}&fn=climb&event=Ir')
        shares = browser.run('return [document.body.innerText, ...[...document.querySelectorAll("[data-help]")].map('
                             'e => e.dataset.help)].join("\\n").match(/\\d{3,}(\\.\\d+)?\\u00a0%/g)')
        seen.check(f'no share above 100 % in {view or "the first page"}',
                   all(float(share[:-2]) <= 100 for share in shares or []), shares)
    seen.quiet('recursion')


def pages_of(document):
    """How many pages a PDF has; they may be in objects that are compressed."""
    texts = [document]
    for begin in re.finditer(rb'stream\r?\n', document):
        try:
            texts.append(zlib.decompressobj().decompress(document[begin.end():]))
        except zlib.error:
            pass
    return sum(len(re.findall(rb'/Type\s*/Page\b', text)) for text in texts)


def paper(seen, report, long):
    """On paper there is what can be read, and nothing to press."""
    browser = seen.browser
    browser.size(1280, 800)
    for path, fragment in ((report, '#view=function&fn=transform'), (report, '#view=functions'), (report, ''),
                           (long, '#view=functions')):
        browser.open(path, fragment)
        browser.run('window.dispatchEvent(new Event("beforeprint"))')
        browser.media('print')
        name = f'paper {fragment or "of the first page"}'
        seen.same(f'{name}: nothing to press', browser.run(
            'return [...document.querySelectorAll("select, input, nav a, button:not(.sort, .plain)")]'
            '.filter(e => e.getClientRects().length).length'), 0)
        seen.check(f'{name}: the event in words', 'Event: ' in browser.run('return document.body.innerText'))
        browser.size(700, 1000)
        seen.same(f'{name}: no text is cut', browser.run(CUT, '.row .cell.text, .row .cell:has(> a)'), [])
        browser.size(1280, 800)
        browser.media('')
        browser.run('window.dispatchEvent(new Event("afterprint"))')
        seen.check(f'{name}: the screen is as it was', browser.run(SHOWN, 'select') > 0 and
                   browser.run(SHOWN, '.paper') == 0)
    browser.open(report, '#view=function&fn=transform')
    browser.run('window.dispatchEvent(new Event("beforeprint"))')
    browser.media('print')
    seen.same('without callees, no table of them', browser.run(SHOWN, 'section[aria-label=Callees]'), 0)
    browser.media('')
    browser.open(report, '#view=function&fn=transform')
    document = base64.b64decode(browser.call('POST', '/print', {'page': {'width': 21.0, 'height': 29.7}}))
    pages = pages_of(document)
    seen.check('the browser makes a PDF of a few pages', document.startswith(b'%PDF') and 1 < pages < 8, pages)
    seen.quiet('paper')


def address(seen, report, same):
    """What is shown without having been chosen is in the address; files go by their names."""
    browser = seen.browser
    browser.size(1280, 800)
    browser.open(report)
    browser.run('document.activeElement.blur()')
    browser.keys('3')
    seen.check('the function that is shown', 'fn=transform' in browser.run(HASH), browser.run(HASH))
    seen.check('links keep it', browser.run('return [...document.querySelectorAll("nav a")].every(a => '
                                            'a.hash.includes("fn=transform"))'))
    browser.back()
    seen.check('in one step', browser.run('return document.querySelector(".look") !== null'))
    browser.open(report, '#view=graph')
    seen.check('and the call graph\'s', 'fn=transform' in browser.run(HASH), browser.run(HASH))
    browser.open(report, '#view=function&fn=nobody')
    text = browser.run('return document.querySelector(".meta").textContent')
    seen.check('a function that is not there', 'nobody is not in this profile' in text, text)
    browser.open(report, '#view=function&fn=transform')
    browser.run('[...document.querySelectorAll(".source .row.line")].find(row => row.querySelector(".warm")).click()')
    seen.check('a file by its name', 'file=fft.c' in browser.run(HASH), browser.run(HASH))
    active = 'return document.querySelector(".source .row.active").innerText'
    want = browser.run(active)
    line = urllib.parse.parse_qs(browser.run(HASH)[1:])['line'][0]
    for file in ('fft.c', 'nobody.c'):
        browser.open(report, f'#view=function&fn=transform&line={line}&file={file}')
        seen.same(f'file={file}', browser.run(active), want)
    index = browser.run('return choice.profile.files.findIndex(path => path.endsWith("/fft.c"))')
    for file in (index, urllib.parse.quote(browser.run(f'return choice.profile.files[{index}]'))):
        browser.open(report, f'#view=function&fn=transform&line={line}&file={file}')
        seen.same(f'file={file}', browser.run(active), want)
    browser.open(same)
    keys = browser.run('return choice.profile.files.map((_, i) => fileKey(i)).filter(key => key.includes("same.h"))')
    seen.same('of two files of one name, the path', sorted(keys), ['/src/a/same.h', '/src/b/same.h'])
    browser.open(same, '#view=function&fn=inlined&file=/src/b/same.h&line=7')
    titles = browser.run('''
        const rows = [...document.querySelectorAll(".source .row")].sort((a, b) => a.dataset.row - b.dataset.row);
        const active = rows.findIndex(row => row.matches(".active"));
        return rows.slice(0, active).filter(row => row.matches(".title")).map(row => row.innerText)''')
    seen.check('and it finds that', titles and titles[-1].strip().endswith('/src/b/same.h'), titles)


def large(seen, report, big):
    """Counts that have lost digits say so, and the last row of a very long table can be reached."""
    browser = seen.browser
    browser.size(1280, 800)
    browser.open(report, '#event=Ir')
    rows = browser.run('return [...document.querySelectorAll("table[aria-label=Events] tbody tr")]'
                       '.map(row => row.cells[2].textContent)')
    seen.same('a total of 10,000,000,000,000,000,007, and one of 2^53 - 1', rows,
              ['\u2248\u00a010,000,000,000,000,000,000', '9,007,199,254,740,991'])
    browser.open(report, '#view=function&fn=endless&event=Ir')
    tip = browser.run('return document.querySelector(".warm").dataset.help')
    seen.check('in a tip', tip.startswith('\u2248\u00a010,000,000,000,000,000,000 Ir'), tip)
    if not sees_classes(browser):
        return
    browser.open(big, '#view=functions')
    browser.run('RowWindow.most = 20000; go({q: ""}); document.querySelector(".rows").focus()')
    last = browser.run('return choice.profile.functions.length')
    for _ in range(2):
        browser.keys('End')
        shown = browser.run('const row = document.querySelector(".row.active"); return [Number(row.dataset.row) + 1, '
                            'row.getBoundingClientRect().bottom <= innerHeight + 1]')
        seen.same('End goes to the last row, which is in sight', shown, [last, True])
        browser.keys('Home')
        shown = browser.run('const row = document.querySelector(".row.active"); return [Number(row.dataset.row), '
                            'row.getBoundingClientRect().top >= document.querySelector(".head").getBoundingClientRect().bottom - 1]')
        seen.same('and Home to the first', shown, [0, True])
    browser.run('document.querySelector(".rows").scrollTop = 1e9')
    shown = 'return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {' \
        'const rows = [...document.querySelectorAll(".row")].filter(row => { const box = row.getBoundingClientRect();' \
        'return box.top < innerHeight && box.bottom > document.querySelector(".head").getBoundingClientRect().bottom; });' \
        'done([Number(rows[0].dataset.row), Number(rows.at(-1).dataset.row)]); })))'
    seen.same('so does the bar', browser.run(shown)[1], last - 1)
    browser.run('const e = document.querySelector(".rows"); e.scrollTop = (e.scrollHeight - e.clientHeight) / 2')
    first, _ = browser.run(shown)
    seen.check('the middle is in the middle', abs(first - last / 2) < 60, first)
    browser.run('window.dispatchEvent(new Event("beforeprint"))')
    rows = browser.run('return [document.querySelectorAll(".rows .body .row").length, '
                       'document.querySelector(".rows .paper").textContent]')
    seen.same('on paper, 400 rows', rows[0], 400)
    seen.check('and what is left out', f'{last - 400:,} more rows are not printed' in rows[1], rows[1])


# Texts of cells with numbers that are not within their cells, or are on another text of it.
SPILT = '''
const wrong = [];
for (const cell of document.querySelectorAll('.row .cell.number:not(.heat)')) {
    const around = cell.getBoundingClientRect();
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const boxes = [];
    for (let node; (node = walker.nextNode());) {
        const range = document.createRange();
        range.selectNodeContents(node);
        boxes.push(...range.getClientRects());
    }
    boxes.sort((a, b) => a.top - b.top > 8 ? 1 : b.top - a.top > 8 ? -1 : a.left - b.left);
    if (boxes.some((box, i) => box.left < around.left - 0.5 || box.right > around.right + 0.5 ||
        i && Math.abs(box.top - boxes[i - 1].top) <= 8 && box.left < boxes[i - 1].right - 0.5))
        wrong.push(cell.innerText);
}
return wrong'''


def wide(seen, report, difference):
    """Counts of ten digits are there to the last one, or not at all."""
    browser = seen.browser
    browser.size(700, 560)
    for path in (report, difference):
        browser.open(path, '#view=map')
        titles = browser.run('return [...document.querySelectorAll(".frame-title")].map(title => title.textContent)')
        short = [title for title in titles if '\u2026' in title]
        seen.check('a name of the tree map is cut', len(short) > 0, titles)
        seen.same('its number is not', [title for title in short if not re.fullmatch(
            r'\S+(  <?\d+(\.\d+)?\u00a0%(  \u0394 \S+)?)?', title)], [])
    for path in (report, difference):
        for view in ('functions', 'functions&group=object', 'functions&per=calls', 'function&fn=main', 'function&fn=work'):
            for width in (800, 1000, 1280):
                browser.size(width, 800)
                browser.open(path, f'#view={view}')
                seen.same(f'{view} in {width} pixels: no number is cut', browser.run(SPILT), [])
            browser.run('window.dispatchEvent(new Event("beforeprint"))')
            browser.media('print')
            browser.size(700, 1000)
            seen.same(f'{view} on paper: no number is cut', browser.run(SPILT), [])
            left = browser.run('const table = document.querySelector(".rows"); const cells = [...table.querySelectorAll('
                               '".row .cell")]; return Math.max(...cells.map(cell => cell.getBoundingClientRect().right)) <= 701')
            seen.check(f'{view} on paper: no column is beyond it', left)
            browser.media('')
    browser.size(1280, 800)
    link = 'const a = document.querySelector(".row a[aria-label]"); return [a.textContent, a.ariaLabel]'
    for name in ('0x4fee49', '0x00000000004fee49'):
        browser.open(report, f'#view=functions&q={name}')
        seen.same(f'an address as a name, found by {name}', browser.run(link), ['0x4fee49', '0x00000000004fee49'])
    browser.open(report, '#view=function&fn=0x00000000004fee49')
    title = 'const h1 = document.querySelector("h1"); return [h1.textContent, h1.dataset.help]'
    seen.same('on its page', browser.run(title), ['0x4fee49', '0x00000000004fee49'])
    browser.open(report, '#view=functions&q=0x4fee49&names=full')
    seen.same('in full', browser.run('return document.querySelector(".row a").textContent'), '0x00000000004fee49')
    browser.open(difference)
    text = browser.run('return document.querySelector(".meta").textContent')
    seen.check('two files of one name are told apart', 'compared with before/wide ' in text, text)
    browser.open(difference, '#view=functions')
    seen.same('a change', browser.run('return document.querySelector(".row .bar.better").innerText'), '\u22121,312,812,188')
    seen.quiet('wide')


ROLES = '''
const wrong = [];
for (const grid of document.querySelectorAll('[role=grid]')) {
    for (const row of grid.querySelectorAll('[role=row]'))
        for (const cell of row.children)
            if (!['gridcell', 'columnheader'].includes(cell.getAttribute('role')))
                wrong.push(cell.outerHTML.slice(0, 80));
    for (const part of grid.children)
        if (!['row', 'rowgroup'].includes(part.getAttribute('role')) && !part.matches('.paper'))
            wrong.push(part.outerHTML.slice(0, 80));
}
for (const owner of document.querySelectorAll('[aria-activedescendant]'))
    if (!document.getElementById(owner.getAttribute('aria-activedescendant')))
        wrong.push(owner.outerHTML.slice(0, 80));
for (const control of document.querySelectorAll('a, button, select, input, [role=grid], [role=application], [role=separator], dialog'))
    if (!(control.ariaLabel || control.textContent.trim() || control.getAttribute('aria-labelledby')))
        wrong.push(control.outerHTML.slice(0, 80));
const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
return wrong.concat(ids.filter((id, i) => ids.indexOf(id) !== i))'''


def accessible(seen, *reports):
    """Contrast, names, roles, and a focus that is seen."""
    browser = seen.browser
    browser.size(1280, 800)
    for scheme in ('light', 'dark'):
        browser.scheme(scheme)
        for number, report in enumerate(reports):
            for view in VIEWS:
                browser.open(report, f'#view={view}')
                name = f'{scheme}, report {number}, {view or "the first page"}'
                seen.same(f'{name}: contrast', browser.run(CONTRAST), [])
                if scheme == 'light':
                    seen.same(f'{name}: roles and names', browser.run(ROLES), [])
    browser.scheme('light')
    browser.open(reports[0], '#view=function')
    seen.same('the focus is seen', browser.run('''
        return [...document.querySelectorAll('a, button, select, input, [tabindex="0"]')].filter(element => {
            element.focus({focusVisible: true});
            const style = getComputedStyle(element);
            return element.getClientRects().length && document.activeElement === element && style.outlineStyle === 'none';
        }).map(element => element.outerHTML.slice(0, 80))'''), [])


TESTS = [panes, changes, phone, names, graph, recursion, paper, address, wide, large, accessible]
