#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Profiles of ranks in SQLite, DuckDB and pprof, by the commands of docs/SCALE.md; what they say is what
# the profiles say.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/recipes.sh"

on_path
build app "$top_srcdir/tests/programs/job.c" -O1 -g -static
mkdir profiles
for rank in 0 1 2 3; do
	PMI_RANK=$rank PMI_SIZE=4 costgrind run -q --costgrind-out-file='profiles/rank.%r.out' ./app "$rank"
done
follow table
is "tables: exit status" "$? $(cat table.err)" "0 "
is "tables: one head" "$(sed -n 1p rank.*.csv | cut -d , -f 1-3)" "rank,record,object"

# work_by_rank SEPARATOR: the instructions of work() in each rank.
work_by_rank() {
	for rank in 0 1 2 3; do
		echo "$rank$1$(own_cost "profiles/rank.$rank.out" work)"
	done
}

# totals: of all events, added up.
totals() {
	for rank in 0 1 2 3; do
		python3 "$top_srcdir/tests/profile.py" totals "profiles/rank.$rank.out"
	done | awk '{ if (!($1 in sum)) names[++n] = $1; sum[$1] += $2 }
		END { for (i = 1; i <= n; i++) printf "%s %.0f\n", names[i], sum[names[i]] }'
}

lacking=$(lacks sqlite3)
if [ -n "$lacking" ]; then
	skip "SQLite" "not installed:$lacking (scripts/setup cluster)"
else
	follow sqlite
	is "SQLite: exit status" "$? $(cat sqlite.out sqlite.err)" "0 "
	is "SQLite: as many rows" "$(sqlite3 ranks.db 'SELECT count(*) FROM costs')" \
		"$(($(cat rank.*.csv | wc -l) - 4))"
	shows balance
	is "SQLite: work() by rank" "$(sqlite3 ranks.db "SELECT rank, sum(Ir) FROM costs
		WHERE record = 'cost' AND function = 'work' GROUP BY rank ORDER BY rank")" "$(work_by_rank '|')"
	is "SQLite: totals" "$(totals | while read -r event _; do
		sqlite3 ranks.db "SELECT '$event ' || sum($event) FROM costs WHERE record = 'cost'"
	done)" "$(totals)"
fi

lacking=$(lacks duckdb)
if [ -n "$lacking" ]; then
	skip "DuckDB" "not installed:$lacking (no package of Debian has it)"
else
	follow duckdb
	is "DuckDB: work() by rank" "$? $(cat duckdb.err duckdb.out)" "0 rank,Ir
$(work_by_rank ,)"
fi

lacking=$(lacks go)
if [ -n "$lacking" ]; then
	skip "pprof" "not installed:$lacking (scripts/setup cluster)"
else
	follow pprof
	is "pprof: exit status" "$? $(cat pprof.err)" "0 "
	is "pprof: total" "$(sed -n 's/^Showing nodes accounting for .* of \([0-9]*\) total$/Ir \1/p' pprof.out)" \
		"$(totals | head -n 1)"
	is "pprof: work()" "$(awk '$6 == "work" { print $1 }' pprof.out)" "$(own_cost all.out work)"
	for event in Dr D1mr ILmr; do
		is "pprof: total of $event" "$(go tool pprof -top -sample_index=$event all.pb.gz 2>&1 |
			sed -n "s/^Showing nodes accounting for .* of \([0-9]*\) total\$/$event \1/p")" \
			"$(totals | grep "^$event ")"
	done
fi
done_testing
