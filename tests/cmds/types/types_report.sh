#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Types and objects in the report of a run: rows add up to the profile, members to their types, both are what annotate says, and
# the card of a struct names what is hot; without data, nothing is there.
. "$top_srcdir/tests/lib.sh"
programs=$top_srcdir/tests/programs
program=$top_builddir/costgrind

unset PAGER NO_COLOR DEBUGINFOD_URLS

build structures "$programs/structures.c" -O1 -g
costgrind -q --data=yes --dump-instr=yes --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64 \
	--costgrind-out-file=run.cg ./structures >run.out 2>run.log
is "a run" $? 0
"$program" report -q -o run.html run.cg
"$program" annotate -q --by=type --format=json --show=D1mr,Dr,Dw --threshold=0 run.cg >types.json
"$program" annotate -q --by=object --format=json run.cg >objects.json
is "page and data" "$(python3 "$top_srcdir/tests/report.py" check "$top_srcdir/docs/schemas/report.schema.json" run 2>&1)" ""
python3 "$top_srcdir/tests/report.py" raw run.html >raw.json
is "all is what annotate says, and adds up" "$(python3 "$top_srcdir/tests/cmds/types/types_report.py" 2>&1)" "wrong:
64 ['next', 'unused[]', 'key'] True"

is "without data" "$("$program" report -q --data=no -o no.html run.cg && python3 "$top_srcdir/tests/report.py" raw no.html |
	python3 -c 'import json, sys; data = json.load(sys.stdin); print("types" in data, "data_objects" in data)')" "False False"

# Of 152 bytes, a walk uses the first and the last: they could be on one line.
cat >clients.c <<'END'
#include <stdlib.h>

struct client {
	struct client *next;
	char name[128];
	long last_seen;
	long balance;
};

int main(void)
{
	struct client *first = NULL;
	long n = 0;

	for (long i = 0; i < 4000; i++) {
		struct client *client = aligned_alloc(64, 192);

		client->next = first;
		client->last_seen = i;
		first = client;
	}
	for (int round = 0; round < 20; round++)
		for (struct client *client = first; client; client = client->next)
			n += client->last_seen < 2000;
	return n != 40000;
}
END
build clients "$PWD/clients.c" -O1 -g
costgrind -q --data=yes --dump-instr=yes --cache-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=1048576,16,64 \
	--costgrind-out-file=clients.cg ./clients >run.out 2>run.log
is "a walk" $? 0
"$program" report -q -o clients.html clients.cg
python3 "$top_srcdir/tests/report.py" raw clients.html >raw.json
if command -v node >/dev/null; then
	node "$top_srcdir/tests/cards.js" clients.html raw.json >cards 2>&1
	is "the card of a struct" "$(sed -n '/(Hot members/,/^->/p' cards)" "== struct client (Hot members on different lines)
next, last_seen of struct client are hot, and touch 2.00 lines of 64 B on average.
-> Order next, last_seen, balance, name: 1.00 lines, 50.0 % fewer; 152 B."
	is "the card of its objects" "$(sed -n '/Data: /{n;s/^[0-9.]*/N/;s/c:[0-9]*/c:N/;p;n;n;p;q;}' cards)" \
		"N % of all D1 misses of data are on struct client allocated by main clients.c:N.
   Misses are on next (0), last_seen (136)."
else
	skip "cards" "no node"
fi
done_testing
