#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Lines that threads fight over (--sharing=yes): which, who, and by which bytes.  Barriers make threads take turns.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/programs/programs.sh"

build_program cores -pthread -O1

caches="--cache-sim=yes --machine=generic --sharing=yes"
p=--costgrind-out-file=p

# way NAME: a run.
way() {
	scene "$1"
	run $p ../cores "$1"
	exits 0
}

# of FUNCTION EVENT: its sum in the profile.
of() {
	profile cells p | awk -F '\t' -v function_name="$1" -v event="$2" '
		$2 == function_name {
			n = split($4, words, " ")
			for (i = 1; i <= n; i++)
				if (sub("^" event "=", "", words[i]))
					sum += words[i]
		}
		END { print sum + 0 }'
}

# shared OBJECT: its lines in the data profile, without figures at once.
shared() {
	sed -n 's/^desc: Shared lines: //p' data.p.costgrind | awk -F ' [|] ' -v object="$1" '
		$2 == object {
			sub(", at once.*true", "", $1)
			for (i = 5; i <= 8; i += 3)
				sub(".*/", "", $i)
			print $1 " | " $4 " | " $5 " | " $6 " | " $7 " | " $8 " | " $9
		}'
}

line=$(grep -n '(.counter)++' "$top_srcdir/tests/programs/cores.c" | cut -d: -f1)
way false
moved=$(($(of count Dcoh) + $(of count Dupg)))
is "false: every transfer of the counters" "$(of count DshF) $(of count DshT)" "$moved 0"
is "false: the line, both sides and their bytes" "$(shared together)" \
	"$moved false, 0 true, 1 lines at 0 | 0-31 rw, 8 B a thread, threads 2-5 | cores.c:$line | count |\
 0-31 rw, 8 B a thread, threads 2-5 | cores.c:$line | count"
is "false: most at once is there" "$(sed -n 's/^desc: Shared lines: .* | \(together\) | .*/\1/p; /^desc: Shared/q' \
	data.p.costgrind)" together
is "false: all transfers are one or the other" "$(awk '/^events:/ { for (i = 2; i <= NF; i++) name[i] = $i }
	/^summary:/ { for (i = 2; i <= NF; i++) sum[name[i]] = $i }
	END { print (sum["DshF"] + sum["DshT"] <= sum["Dcoh"] + sum["DcohW"] + sum["Dupg"] &&
		sum["DshF"] + sum["DshT"] >= sum["Dcoh"] + sum["DcohW"]) ? "yes" : "no" }' p)" yes
is "false: the data profile has as many" "$(awk '/^summary:/ { print $(NF - 1), $NF }' data.p.costgrind)" \
	"$(awk '/^summary:/ { print $(NF - 1), $NF }' p)"

way padded
is "padded: no line of the counters" "$(shared padded)" ""

way handover
is "handover: is true sharing" "$(of sum DshT) $(of fill DshT) $(of sum DshF)" "$((100 * 256)) $((99 * 256)) 0"
is "handover: 256 lines as one" "$(shared handed | sed 's/ at .*//')" "0 false, $((199 * 256)) true, 256 lines"

way fork
is "fork: the parent goes on" "$(of fill D1mw)" 256

scene one
run $p /bin/true
exits 0
mv p with
caches="--cache-sim=yes --machine=generic"
run $p /bin/true
is "one thread: the same but for what was asked" "$(grep -v '^pid:\|^cmd:\|^desc: Options:\|^desc: Data' with)" \
	"$(grep -v '^pid:\|^cmd:\|^desc: Options:\|^desc: Data' p)"

# refused TEXT OPTION...: the run ends with that message.
refused() {
	text=$1
	shift
	if costgrind --sharing=yes --cache-sim=yes "$@" /bin/true 2>refused; then
		not_ok "refused: $*"
	else
		is "refused: $*" "$(grep -c -e "$text" refused)" 1
	fi
}

refused "--sharing=yes: expected --cores=2 or more, found --cores=1" --cores=1
refused "--sharing=yes: cannot be combined with --prefetch=yes" --prefetch=yes --machine=generic
refused "--sharing=yes: cannot be combined with --cacheuse=yes" --cacheuse=yes

done_testing
