#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# costgrind roofline prints and draws what is in tests/golden/roofline, of profiles by hand.
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/golden.sh"
golden=$top_srcdir/tests/golden/roofline
program=$top_builddir/costgrind

unset PAGER NO_COLOR
cp "$golden"/inputs/* .

# Two levels of caches, with lines of 32 bytes; bytes without caches; what is not enough.
cat >two.cg <<'END'
desc: LL cache: 4096 B, 32 B, 4-way associative
events: Ir Dr Dw D1mr D1mw DLmr DLmw FlS FlD FlX BytR BytW
fn=f
1 100 50 10 4 2 1 1 0 640 0 400 80
totals: 100 50 10 4 2 1 1 0 640 0 400 80
END
printf '%s\n' "events: FlS FlD FlX BytR BytW" "fn=f" "1 64 0 0 256 0" "fn=g" "2 0 8 0 0 0" "totals: 64 8 0 256 0" >bytes.cg
printf '%s\n' "events: Ir Dr Dw" "fn=f" "1 5 2 1" "totals: 5 2 1" >plain.cg
printf '%s\n' "events: Ir FlS FlD FlX" "fn=f" "1 5 2 1 0" "totals: 5 2 1 0" >flops.cg
printf '%s\n' "events: FlS FlD BytR BytW" "fn=f" "1 5 -1 1 1" "totals: 5 -1 1 1" >difference.cg
awk '{ sub(/fn=triad/, "fn=triad<a href=\"x\">\\&amp;\033[31m\377"); print }' roofline.cg >hostile.cg
printf '%s\n' "machine small" "line 64" "L1I 32K 8 lru" "L1D 32K 8 lru" "L2 512K 8 lru" "roof double 4" "roof L2 8" \
	"roof memory 2" >small.machine

golden_list "$golden" "" "$program" roofline

# -- what is drawn is XML, and of intensities what hands say -------------------------------

"$program" roofline --svg=r.svg --format=json roofline.cg >json
is "exit status" $? 0
is "the drawing is XML" "$(python3 -c 'import xml.dom.minidom; xml.dom.minidom.parse("r.svg")' 2>&1)" ""
"$program" roofline --svg=- roofline.cg >drawn.svg
is "the drawing in place of the text" "$? $(cmp drawn.svg r.svg)" "0 "
"$program" roofline --svg=- -o drawn.svg roofline.cg >text 2>err
is "where that is to go" "$? $(cat text err) $(cmp drawn.svg r.svg)" "0  "
is "a product of matrices and a triad" "$(python3 - <<'END'
import json
for row in json.load(open('json'))['functions'][1:3]:
    print(row['function'], row['operations'], row['bytes_l1'], row['bytes_l2'], row['bytes_memory'],
          row['intensity_memory'], row['per_cycle'], row['attainable'], row['bound'])
END
)" "dgemm 16000 8800 3200 192 83.333333 13.333333 16.0 operations
triad 2000 24000 24000 32000 0.0625 0.5 0.444444 memory"

done_testing
