// SPDX-License-Identifier: GPL-3.0-or-later
// Trees of calls for one measure: nodes with function, parent, self and total cost.  Parents come before children.
// Of a call tree that was recorded, they are exact.  Without one they are derived from arcs: what a function's calls
// cost is spread over its callers in proportion to what each of them paid for it.

const TREE_DEPTH = 90;
const TREE_NODES = 40000;
const TREE_SHARE = 0.0001;

class CallTree {
	constructor(exact) {
		this.exact = exact;
		this.parent = [0];
		this.function = [-1];
		this.self = [0];
		this.depth = [0];
		// Of the older profile, if it has a tree, too.
		this.before = null;
	}

	add(parent, index, self) {
		this.parent.push(parent);
		this.function.push(index);
		this.self.push(self);
		this.depth.push(this.depth[parent] + 1);
		return this.parent.length - 1;
	}

	// Totals, and children with the most expensive first.
	finish() {
		this.total = Float64Array.from(this.self);
		this.totalBefore = this.before && Float64Array.from(this.before);
		this.children = this.parent.map(() => []);
		for (let i = this.parent.length - 1; i > 0; i--) {
			this.total[this.parent[i]] += this.total[i];
			if (this.before)
				this.totalBefore[this.parent[i]] += this.totalBefore[i];
			this.children[this.parent[i]].push(i);
		}
		for (const list of this.children)
			list.sort((a, b) => this.total[b] - this.total[a] || a - b);
		return this;
	}

	path(node) {
		const path = [];
		for (let at = node; at > 0; at = this.parent[at])
			path.unshift(this.function[at]);
		return path;
	}

	// The node at the end of a path of functions, or the root.
	find(path) {
		let node = 0;
		for (const index of path) {
			node = this.children[node].find(child => this.function[child] === index);
			if (node === undefined)
				return 0;
		}
		return node;
	}
}

// Node 0 of a recorded tree is its root.
function recordedTree(raw, measure) {
	const tree = new CallTree(raw.exact);
	const costs = measure.column(raw.costs);
	const merged = new Map();
	const place = new Int32Array(raw.length);
	const before = isRecorded(raw.older, measure) ? measure.column(raw.older.costs) : null;
	tree.self[0] = costs[0];
	for (let i = 1; i < raw.length; i++) {
		const parent = place[raw.parent[i]];
		const key = parent * 4194304 + raw.function[i];
		if (merged.has(key)) {
			place[i] = merged.get(key);
			tree.self[place[i]] += costs[i];
		} else {
			merged.set(key, place[i] = tree.add(parent, raw.function[i], costs[i]));
		}
	}
	if (before) {
		tree.before = new Float64Array(tree.parent.length);
		before.forEach((cost, i) => tree.before[place[i]] += cost);
	}
	return tree.finish();
}

// What functions cost with all that they call outside their own cycle, and what arcs between cycles have of that.
// The members of a cycle are one owner: what they cost each other nests, and is no part of anything.  Callers that
// claim more than a callee costs, in files of other profilers, share what it costs; so callees come first.
// What no caller has, self costs and leaving arcs less the arcs that enter, then adds up to the totals.
function flowOf({arcs, functions}, self, claimed) {
	const own = Float64Array.from(self), costs = Float64Array.from(claimed);
	const cycles = new Map();
	const owner = Array.from(functions.cycle, (cycle, i) => {
		const it = cycle && cycles.get(cycle) || {members: [], pending: 0};
		cycles.set(cycle, it);
		it.members.push(i);
		return it;
	});
	const between = arc => claimed[arc] && owner[arcs.from[arc]] !== owner[arcs.to[arc]];
	costs.forEach((_, arc) => between(arc) && owner[arcs.from[arc]].pending++);
	const ready = [...new Set(owner)].filter(it => !it.pending);
	while (ready.length) {
		const it = ready.pop();
		const into = it.members.flatMap(i => Array.from(arcs.into(i)).filter(between));
		const entering = sumOf(into, arc => costs[arc]);
		it.whole = sumOf(it.members, i => own[i]);
		const scale = entering > it.whole ? Math.max(0, it.whole) / entering || 0 : 1;
		it.rest = it.whole - entering * scale;
		for (const arc of into) {
			const caller = owner[arcs.from[arc]];
			costs[arc] *= scale;
			own[arcs.from[arc]] += costs[arc];
			if (!--caller.pending)
				ready.push(caller);
		}
	}
	return {own, costs, owner};
}

function derivedRoots({own, owner}, least) {
	const roots = [];
	let folded = 0;
	own.forEach((part, i) => {
		const {whole, rest} = owner[i];
		const cost = whole > 0 ? rest * (part / whole) : 0;
		if (cost > least)
			roots.push([i, cost]);
		else if (cost > 0)
			folded += cost;
	});
	return {roots: roots.sort((a, b) => b[1] - a[1]), folded};
}

function isOnPath(tree, node, index) {
	for (let at = node; at > 0; at = tree.parent[at])
		if (tree.function[at] === index)
			return true;
	return false;
}

// What a function calls, with its part of the cost: [[function, cost]].  A call into a cycle is of the whole cycle, as
// what its members cost each other is not known apart: all have their share of it, below the one that was called.
function* calleesOf({arcs, functions: {cycle}}, {own, costs, owner}, index, cost, enters) {
	const {members, whole} = owner[index];
	const of = enters ? whole : own[index];
	const scale = of ? cost / of : 0;
	for (const member of enters ? members : [])
		if (member !== index)
			yield [member, own[member] * scale];
	for (const arc of arcs.outOf(index))
		if (!cycle[index] || cycle[arcs.to[arc]] !== cycle[index])
			yield [arcs.to[arc], costs[arc] * scale];
}

function derivedTree(profile, measure) {
	const tree = new CallTree(false);
	const {cycle, self} = profile.functions;
	const flow = flowOf(profile, measure.column(self), measure.column(profile.arcs.costs));
	const least = Math.max(0, measure.sum(profile.totals)) * TREE_SHARE;
	const {roots, folded} = derivedRoots(flow, least);
	const waiting = roots.map(([index, cost]) => [0, index, cost]);
	// Breadth first: if the tree is cut, it is cut at its leaves.
	for (let next = 0; next < waiting.length && next < TREE_NODES; next++) {
		const [parent, index, cost] = waiting[next];
		const node = tree.add(parent, index, cost);
		if (tree.depth[node] >= TREE_DEPTH)
			continue;
		// A root in a cycle has what is its own: the other members are roots, too.
		const enters = parent > 0 && cycle[index] > 0 && cycle[tree.function[parent]] !== cycle[index];
		for (const [callee, share] of calleesOf(profile, flow, index, cost, enters)) {
			const part = Math.min(share, tree.self[node]);
			if (part <= 0 || part < least || isOnPath(tree, node, callee))
				continue;
			tree.self[node] -= part;
			waiting.push([node, callee, part]);
		}
	}
	// What was not reached stays with its caller.
	for (const [parent, , cost] of waiting.slice(TREE_NODES))
		tree.self[parent] += cost;
	// Roots too cheap to be boxes of their own are one.
	if (folded > 0)
		tree.add(0, -1, folded);
	return tree.finish();
}

// Functions by their self cost, below each of them its callers, and theirs.
function invertedTree(tree) {
	const inverted = new CallTree(tree.exact);
	const nodes = new Map();
	const least = tree.total[0] * TREE_SHARE / 10;
	const older = [];
	for (let node = 1; node < tree.parent.length; node++) {
		const before = tree.before ? tree.before[node] : 0;
		// The callers of what is too cheap to be seen are left out, but not what it costs.
		const depth = Math.max(tree.self[node], before) <= least ? 1 : TREE_DEPTH;
		let at = 0;
		for (let up = node; up > 0 && inverted.depth[at] < depth; up = tree.parent[up]) {
			const key = at * 4194304 + tree.function[up];
			if (!nodes.has(key))
				nodes.set(key, inverted.add(at, tree.function[up], 0));
			at = nodes.get(key);
		}
		inverted.self[at] += tree.self[node];
		older[at] = (older[at] || 0) + before;
	}
	if (tree.before)
		inverted.before = inverted.self.map((_, at) => older[at] || 0);
	return inverted.finish();
}

const treesMade = new Map();

// What runs before main: the loader's and the program's _start, by name or, in a loader without symbols, by address,
// and the C library's.
function isStart(index) {
	const {functions} = choice.profile;
	return /^(_start|\(below main\)|__libc_start_(main|main_impl|call_main)|generic_start_main|_dl_start_user)\b/
		.test(functions.names[index]) || functions.names[index].startsWith('(below main)') ||
		/^0x/.test(functions.names[index]) && isLoader(functions.objectOf(index));
}

// The same tree with these frames, above main, as one: what they call besides is called by that one.
function withOneStart(tree) {
	const {names} = choice.profile.functions;
	const main = tree.function.findIndex((index, node) => node > 0 && names[index] === 'main');
	const frames = new Set();
	for (let at = main > 0 ? tree.parent[main] : 0; at > 0 && isStart(tree.function[at]); at = tree.parent[at])
		frames.add(at);
	if (frames.size < 2)
		return tree;
	const folded = new CallTree(tree.exact);
	const place = new Int32Array(tree.parent.length);
	const older = [tree.before ? tree.before[0] : 0];
	let start = 0;
	folded.self[0] = tree.self[0];
	for (let node = 1; node < tree.parent.length; node++) {
		const joins = frames.has(node);
		// It has the name of what calls main.
		place[node] = joins && start ? start :
			folded.add(place[tree.parent[node]], joins ? tree.function[tree.parent[main]] : tree.function[node], 0);
		if (joins)
			start = place[node];
		folded.self[place[node]] += tree.self[node];
		older[place[node]] = (older[place[node]] || 0) + (tree.before ? tree.before[node] : 0);
	}
	if (tree.before)
		folded.before = Float64Array.from(older);
	return folded.finish();
}

function isRecorded(tree, measure) {
	return tree !== null && measure.weights.every((weight, event) => !weight || tree.events.has(event));
}

// The tree to show for the chosen measure; upwards, callers are below.
function treeFor(upwards) {
	const {profile, measure} = choice;
	const key = `${measure.name} ${upwards}`;
	if (!treesMade.has(key)) {
		if (upwards)
			treesMade.set(key, invertedTree(treeFor(false)));
		else
			treesMade.set(key, withOneStart(isRecorded(profile.tree, measure) ?
				recordedTree(profile.tree, measure) : derivedTree(profile, measure)));
	}
	return treesMade.get(key);
}
