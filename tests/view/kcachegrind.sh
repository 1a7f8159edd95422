#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# KCachegrind opens our profiles, shows what they say, and complains of nothing.  On a display that
# nobody sees; what is in its window is read by tesseract.  The pictures that this leaves in its
# directory, functions.png and so on, are the ones in docs/VIEWERS.md.
. "$top_srcdir/tests/lib.sh"

# What is needed, by program; packages of Debian are in scripts/setup.
needs() {
	missing=
	for program; do
		command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
	done
	[ -z "$missing" ] && return
	skip "KCachegrind" "not installed:$missing (scripts/setup view)"
	done_testing
}

if [ "${1-}" != inside ]; then
	needs kcachegrind xvfb-run Xvfb dbus-run-session xdotool import convert identify tesseract \
		objdump dot
	# It has a bus and a display of its own, and a home with nothing in it.  Without -f, xvfb-run
	# makes a folder, and leaves the display running if it cannot remove that.
	exec xvfb-run -a -f "$PWD/authority" -s '-screen 0 1280x900x24' \
		dbus-run-session -- sh "$0" inside
fi

export HOME="$PWD/home" XDG_RUNTIME_DIR="$PWD/runtime" LC_ALL=C.UTF-8 OMP_THREAD_LIMIT=1
mkdir -p home/.config runtime
chmod 700 runtime

# start TITLE FUNCTION TAB TABS [FILE [DIR]]: a KCachegrind that shows one function in one of the tabs,
# which are all on the right, and the costs of $event; waits until it has a window of that title.  The tip
# of the day would cover it.
event=Ir
start() {
	printf '%s\n' '[TipOfDay]' RunOnStart=false \
		'[CurrentState]' "EventType=$event" '[MainView-TabView-1]' ActiveItemType=Function \
		"ActiveItemName=$2" "ActiveTop=$3" "TopTabs=$4" BottomTabs= TopSize=100 \
		'[MainView-TabView-1-CallGraphView]' 'FuncLimit=0.005' 'CallLimit=0.005' \
		'DetailLevel=1' >home/.config/kcachegrindrc
	: >viewer.err
	# Without a file it opens what is in its directory.
	(cd "${6-.}" && exec kcachegrind --qwindowgeometry 1280x900+0+0 ${5:+"$5"}) \
		>viewer.out 2>viewer.err &
	viewer=$!
	tries=0
	until window=$(xdotool search --class '^kcachegrind$') &&
		[ "$(xdotool getwindowname "$window")" = "$1" ]; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] && kill -0 $viewer 2>/dev/null && sleep 0.2 && continue
		not_ok "a window with the title $1" "$(cat viewer.err)"
		kill $viewer 2>/dev/null
		return 1
	done
	ok "a window with the title $1"
}

# shows NAME WORDS...: NAME.png, the window; within half a minute, each of the words is in it.  Blanks do not count:
# between a number and a letter, tesseract does not always see one.
shows() {
	name=$1
	shift
	tries=0
	while :; do
		import -window root "$name.png"
		convert "$name.png" -resize 250% -colorspace Gray -normalize "$name.read.png"
		tesseract "$name.read.png" - --psm 11 2>/dev/null >"$name.txt"
		tr -d ' ' <"$name.txt" >"$name.words"
		unseen=
		for word; do
			grep -Fq -- "$(echo "$word" | tr -d ' ')" "$name.words" || unseen="$unseen '$word'"
		done
		if [ -z "$unseen" ]; then
			ok "$name: shows what it should"
			return
		fi
		[ $tries -lt 15 ] || break
		tries=$((tries + 1))
		sleep 1
	done
	not_ok "$name: shows what it should" "not in $name.png:$unseen" "$(cat "$name.txt")"
}

# quit NAME: it ends when asked to.
quit() {
	xdotool windowfocus "$window" key ctrl+q
	tries=0
	while kill -0 $viewer 2>/dev/null && [ $tries -lt 50 ]; do
		tries=$((tries + 1))
		sleep 0.2
	done
	kill $viewer 2>/dev/null
	wait $viewer
	is "$1: ends" $? 0
}

# complaints: what it has written to standard error, but for
# - what it writes without any file too (that is, of the bus and of the display),
# - what its authors left in to see what it does, in good order or not: the function that is
#   selected, where it looks for sources, the objdump that it runs for machine code, the dot that it
#   runs for the graph.
# What it does not like about a profile begins with "Loading FILE : LINE :", about jumps with
# "InstrView: no jump start" and the like.
complaints() {
	grep -Fvx -f nothing.err viewer.err | grep -Evx \
		-e 'Selected  ".*"' -e 'Checking /.*' -e "Running 'objdump .*'\.\.\." \
		-e 'CallGraphView::(refresh|(readDotOutput|dotExited): QProcess 0x[0-9a-f]+)' \
		-e "CallGraphView::refresh: Starting process 0x[0-9a-f]+, 'dot -Tplain'"
}

# quit_quietly NAME: and there is nothing on standard error.
quit_quietly() {
	quit "$1"
	is "$1: nothing on standard error" "$(complaints)" ""
}

# arrows PICTURE: how many points of the column of arrows are red, as jumps that depend on a
# condition are.
arrows() {
	convert "$1" -crop 40x700+430+150 +repage txt:- | grep -c '#FF0000'
}

# grouped NUMBER: as KCachegrind writes it.
grouped() {
	echo "$1" | sed -e ':next' -e 's/\([0-9]\)\([0-9]\{3\}\)\($\| \)/\1 \2\3/; t next'
}

total() {
	grouped "$(python3 "$top_srcdir/tests/profile.py" totals "$1" | sed -n 's/^Ir //p')"
}

# --- profiles -----------------------------------------------------------------------------------

# All that a profile can have, on a machine that takes nothing from this one.
cp "$top_srcdir/tests/view/numbers.c" .
build numbers ./numbers.c -O2 -g -ffile-prefix-map="$PWD"=.
profile() {
	name=$1
	shift
	costgrind --dump-instr=yes --cache-sim=yes --branch-sim=yes --I1=32768,8,64 \
		--D1=32768,8,64 --LL=8388608,16,64 --costgrind-out-file="$name" "$@" ./numbers \
		>numbers.stdout 2>numbers.log
}
profile full.out --collect-jumps=yes
profile again.out --collect-jumps=yes
profile still.out --collect-jumps=no
program=$top_builddir/costgrind
"$program" merge -o merged.out full.out again.out
"$program" convert --to=callgrind -o callgrind.out full.out
"$program" convert --to=callgrind-portable -o portable.out full.out
sed '$!b; a nonsense' full.out >damaged.out

# Three levels, small ones, so that each has many misses.
printf '%s\n' 'machine small three levels' 'line 64' 'L1I 1K 2 lru' 'L1D 2K 4 lru' 'L2 8K 8 plru' \
	'L3 32K 16 lru victim' >small.machine
costgrind --machine=small.machine --write-back=yes --branch-sim=yes --costgrind-out-file=levels.out ./numbers \
	>numbers.stdout 2>numbers.log
# And with TLBs, and prefetchers.
printf '%s\n' 'machine paged TLBs and prefetchers' 'line 64' 'L1I 1K 2 lru' 'L1D 2K 4 lru' 'L2 8K 8 plru' \
	'ITLB 2 2 4K' 'DTLB 2 2 4K' 'STLB 4 4 4K' 'prefetch L1D ip-stride' 'prefetch L2 adjacent' >paged.machine
costgrind --machine=paged.machine --tlb-sim=yes --prefetch=yes --branch-sim=yes --costgrind-out-file=paged.out \
	./numbers >numbers.stdout 2>numbers.log
# Why it misses, and where it would not.
costgrind --machine=small.machine --miss-classes=yes --costgrind-out-file=classes.out ./numbers \
	>numbers.stdout 2>numbers.log
costgrind --machine=small.machine --miss-curve=exact --costgrind-out-file=sizes.out ./numbers \
	>numbers.stdout 2>numbers.log
# The same without the events that Callgrind does not have. (Files whose names begin alike are one to it.)
"$program" convert --to=callgrind-portable -o two.out levels.out 2>convert.err
views=EventTypeView,CallerView,CalleeView,CallGraphView,SourceView,InstrView

# --- without a file -----------------------------------------------------------------------------

mkdir empty
start KCachegrind main CallerView $views '' empty || done_testing
shows nothing 'profile data file loaded'
quit nothing
sort -u viewer.err >nothing.err

# --- all views ----------------------------------------------------------------------------------

# opens FILE FUNCTION TAB [UNDAMAGED FILE]: also sets cost, what the status line says.
opens() {
	cost="Total Instructions executed Cost: $(total "${4-$1}")"
	start "$1 [./numbers] — KCachegrind" "$2" "$3" $views "$1"
}

opens full.out main CalleeView
shows functions "$cost" partition next_random '30 000' '50 000'
quit_quietly functions
opens full.out main CallGraphView
shows graph "$cost" partition next_random look_up '20 000 x'
quit_quietly graph
opens full.out partition SourceView
shows source "$cost" 'while (numbers[low] < pivot)' 'return high;' 'Jump 19 999 of'
quit_quietly source
opens full.out partition InstrView
shows code "$cost" 'Jump 19 999 of' cmp numbers.c:33
quit_quietly code
opens still.out partition InstrView
shows still "$cost" cmp numbers.c:33
quit_quietly still
is "code: arrows of jumps" \
	"$([ "$(arrows code.png)" -ge 1000 ] && echo many) $(arrows still.png)" "many 0"

# --- other profiles -----------------------------------------------------------------------------

for name in merged callgrind portable; do
	opens $name.out main CalleeView
	shows $name "$cost" partition next_random look_up
	quit_quietly "$name"
done
is "merged: twice the cost" "$(python3 "$top_srcdir/tests/profile.py" totals merged.out)" \
	"$(cat full.out again.out | awk '/^totals:/ { for (i = 2; i <= NF; i++) sum[i] += $i }
		/^events:/ { events = $0 }
		END { n = split(events, name)
			for (i = 2; i <= n; i++) print name[i], sum[i] }')"

# --- three levels -------------------------------------------------------------------------------

# estimate FILE: CEst, by KCachegrind's formula.
estimate() {
	grouped "$(python3 "$top_srcdir/tests/profile.py" totals "$1" | awk '
		$1 == "Ir" { sum += $2 }
		$1 ~ /^(Bcm|Bim|I1mr|D1mr|D1mw)$/ { sum += 10 * $2 }
		$1 ~ /^(ILmr|DLmr|DLmw)$/ { sum += 100 * $2 }
		END { print sum }')"
}

# Its own estimate of cycles weighs L1 and the last level. What missed L2 is next to it, under its own name, and
# does not change it.
event=CEst
cost="Total Cycle Estimation Cost: $(estimate levels.out)"
start "levels.out [./numbers] — KCachegrind" main EventTypeView $views levels.out
shows levels "$cost" 'L2 instruction fetch misses' 'L2 data read misses' 'L2 data write misses' \
	'Last-level data read misses' 'Dirty lines written to memory' '+ 100 LLm'
quit_quietly levels
cost="Total Cycle Estimation Cost: $(estimate paged.out)"
start "paged.out [./numbers] — KCachegrind" main EventTypeView $views paged.out
shows paged "$cost" 'Instruction TLB misses' 'Data TLB misses' 'Page walks for instructions' 'Page walks for data' \
	'Lines prefetched' 'Prefetched lines never used'
quit_quietly paged
cost="Total Cycle Estimation Cost: $(estimate classes.out)"
start "classes.out [./numbers] — KCachegrind" main EventTypeView $views classes.out
shows classes "$cost" 'L1 data misses: cold' 'L1 data misses: capacity' 'L1 data misses: conflict' \
	'L2 misses: conflict' 'Last-level misses: cold'
quit_quietly classes
cost="Total Cycle Estimation Cost: $(estimate sizes.out)"
start "sizes.out [./numbers] — KCachegrind" main EventTypeView $views sizes.out
shows sizes "$cost" 'Data misses of a cache of 64 KiB' 'Data misses of a cache of 256 KiB'
quit_quietly sizes
cost="Total Cycle Estimation Cost: $(estimate levels.out)"
start "two.out [./numbers] — KCachegrind" main EventTypeView $views two.out
shows two "$cost" 'Last-level data read misses'
quit_quietly two
is "levels: they are not few, and are in one of the two" \
	"$(for name in levels two; do
		python3 "$top_srcdir/tests/profile.py" totals $name.out |
			awk '/^(L2|Wb)/ && $2 > 100 { n++ } END { print n + 0 }'
	done | xargs)" "4 0"
event=Ir

# --- data -----------------------------------------------------------------------------------------

# Types as functions, whose source is a listing of members; and objects, whose callers miss on them.
build data "$top_srcdir/tests/view/data.c" -O1 -g
costgrind --machine=small.machine --data=yes --costgrind-out-file=walk.out ./data >data.stdout 2>data.log
"$program" convert --to=types -o types.out walk.out 2>convert.err
mv data.*.costgrind objects.out
event=D1mr
cost="Total L1 data read misses Cost: $(grouped "$(python3 "$top_srcdir/tests/profile.py" totals walk.out | sed -n 's/^D1mr //p')")"
start "types.out [./data] — KCachegrind" 'struct client' SourceView $views types.out
shows types "$cost" 'types.types.out.txt' next 'name[]' balance
quit_quietly types
object=$(sed -n 's/^fn=([0-9]*) \(add_client .* B\)$/\1/p' objects.out | head -n 1)
start "objects.out [./data] — KCachegrind" "$object" CallerView $views objects.out
shows objects "$cost" count_idle
quit_quietly objects
event=Ir

# It would say so.
opens damaged.out main CalleeView full.out
shows damaged "$cost"
quit damaged
is "damaged: is reported" "$(complaints)" \
	"Loading \"./damaged.out\" : $(grep -c '' damaged.out) :  \"Invalid line 'nonsense'\""

done_testing
