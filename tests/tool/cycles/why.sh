#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# costgrind why of programs whose trouble is known: the kind of finding, and the line that is to blame.
: "${CXX:=c++}"
. "$top_srcdir/tests/lib.sh"

program=$top_builddir/costgrind
source=$top_srcdir/tests/programs/why_kinds.cc
unset DEBUGINFOD_URLS

# shellcheck disable=SC2086 # the compiler may be several words
if ! $CXX -O2 -g -gdwarf-4 -o kinds "$source" >log 2>&1; then
	not_ok "build why_kinds.cc" "$(cat log)"
	done_testing
fi

# profiled KIND: KIND.cg and KIND.json.
profiled() {
	costgrind --machine=zen4 --cycles=yes --branch-sim=yes --branch-detail=yes --tlb-sim=yes --miss-classes=yes \
		--toggle-collect=main --costgrind-out-file="$1.cg" ./kinds "$1" >log 2>&1 || not_ok "run $1" "$(cat log)"
	"$program" why --format=json "$1.cg" >"$1.json" 2>err || not_ok "why $1" "$(cat err)"
}

# finds KIND EXPRESSION: of the findings, a list of objects; mark(TEXT) is the number of the line with that comment.
finds() {
	python3 -c 'import json, sys
lines = open(sys.argv[1]).read().split("\n")
findings = json.load(open(sys.argv[2]))["findings"]
first = findings[0]
mark = lambda text: next(i + 1 for i, line in enumerate(lines) if line.endswith("// " + text))
kinds = [one["kind"] for one in findings]
of = lambda kind: next((one for one in findings if one["kind"] == kind), {})
print(eval(sys.argv[3]))' "$source" "$1.json" "$2" 2>&1
}

for kind in chase stride branch calls allocations copies chain; do
	profiled $kind
done

is "a chase" "$(finds chase 'first["kind"], first["line"] == mark("chase"), first["title"]')" \
	"('memory bound', True, 'Waits for L3: pointer chase')"
is "is not prefetched, and is no stride" "$(finds chase '"prefetch" in first["advice"], first["ruled_out"][0][:11]')" \
	"(False, 'Prefetching')"
is "a stride" "$(finds stride 'first["line"] == mark("stride"), any("advances by 4,160 B" in fact for one in findings for fact in one["evidence"]["facts"])')" \
	"(True, True)"
is "a stride is no chase" "$(finds stride 'any("pointer chase" in one["claim"] for one in findings)')" False
is "a branch on data in no order" "$(finds branch 'first["kind"], first["line"] == mark("branch"), "without a branch" in first["advice"]')" \
	"('bad speculation', True, True)"
is "small calls" "$(finds calls 'of("calls")["callee"], of("calls")["line"] == mark("call"), of("calls")["claim"][:39]')" \
	"('small(int)', True, '1.00 M calls of small(int) have 2.0 ins')"
is "allocations" "$(finds allocations 'first["kind"], first["claim"][:20], first["function"], "eserve" in first["advice"]')" \
	"('allocations', '400,000 allocations ', 'main', True)"
is "the line at which what allocates was inlined" "$(finds allocations 'first["line"] == mark("grow"), sorted(line["line"] == mark("grow") for line in first["evidence"]["lines"])[-1]')" "(True, True)"
is "and the code that was inlined there" \
	"$(finds allocations 'mark("grow") in [one.get("line") for one in findings if one["kind"] == "core bound"]')" True
"$program" why --asm=no --format=json allocations.cg >noasm.json
is "which is not known without the object" "$(finds noasm '"line" in first')" False
is "copies" "$(finds copies 'of("copies")["claim"][:48], of("copies")["line"] == mark("copy")')" \
	"('1,000 calls of the copy constructor of document ', True)"
is "copies before the allocations that they make" \
	"$(finds copies 'kinds[:2], any(fact.startswith("Copies of objects make ") for fact in findings[1]["evidence"]["facts"])')" \
	"(['copies', 'allocations'], True)"
is "a chain" "$(finds chain 'first["kind"], mark("end") in [one.get("line") for one in findings]')" \
	"('dependencies', False)"
is "no advice on libraries" "$(for kind in allocations copies; do
	finds $kind '[one["claim"] for one in findings if one["kind"] != "loader" and one["object"][-6:] != "/kinds"]'
done)" "[]
[]"
done_testing
