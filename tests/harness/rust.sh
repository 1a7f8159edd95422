#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# harness/costgrind.rs: benchmarks of Rust as regions.
. "$top_srcdir/tests/lib.sh"

# compile ARGS...: rustc, where rustup has it below the user's own home, too.
compile() {
	HOME=$(getent passwd "$(id -u)" | cut -d : -f 6) rustc "$@"
}

compile --version >/dev/null 2>&1 || {
	skip_here "Rust" "no rustc, which is 370 MB of packages"
	done_testing
}

cp "$top_srcdir/harness/costgrind.rs" .
cat >bench.rs <<'END'
mod costgrind;

/// Two instructions for each of n.
fn count(n: u32) {
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!("2:", "dec {0:e}", "jnz 2b", inout(reg) n => _)
    };
    costgrind::black_box(n);
}

fn main() {
    let mut benches = costgrind::Benches::from_args();
    for n in [1000, 3000] {
        benches.bench(&format!("count/{}", n), || count(costgrind::black_box(n)));
    }
    benches.bench("empty", || ());
    benches.bench_with(
        "sort: <u32>/100",
        || (0..100u32).rev().collect::<Vec<_>>(),
        |mut numbers| {
            numbers.sort();
            numbers
        },
    );
    benches.finish();
    costgrind::region("outer", || {
        for _ in 0..2 {
            let _inner = costgrind::Region::new("inner\0 and more");
            count(costgrind::black_box(50));
        }
    });
    println!("{}", costgrind::is_running());
}
END

nothing="./bench: nothing is measured: expected costgrind bench -- ./bench"
for level in 0 3; do
	compile --edition 2018 -D warnings -C opt-level=$level bench.rs >rustc.txt 2>&1
	is "-C opt-level=$level: compiles without a warning" "$? $(cat rustc.txt)" "0 "
	is "without the tool" "$(./bench 2>&1)" "$nothing
false"
	is "another tool" "$("$VALGRIND" -q --tool=none ./bench 2>&1)" "$nothing
false"
	costgrind -q --cache-sim=no --costgrind-out-file=bench.out ./bench >bench.txt 2>&1
	is "with it" "$? $(cat bench.txt)" "0 true"
	regions bench.out >regions.txt
	is "names, times" "$(cut -f 1,2 regions.txt)" "count/1000	1
count/3000	1
empty	1
sort: <u32>/100	1
outer	1
inner	2"
	is "2,000 iterations more are 4,000 instructions more; a region in another one" \
		"$(awk -F '\t' '{ ir[$1] = $3 }
			END { print ir["count/3000"] - ir["count/1000"], (ir["outer"] > ir["inner"]), (ir["inner"] > 200) }' regions.txt)" "4000 1 1"
	# Without optimization there are calls in it.
	is "an empty benchmark, optimized" "$(awk -F '\t' -v level=$level '$1 == "empty" { print (level == 0 || $3 == 0) }' regions.txt)" 1
	costgrind -q --cache-sim=no --costgrind-out-file=bench.out ./bench 'c*t/?0*' --bench >bench.txt 2>&1
	is "a pattern, and what cargo adds" "$? $(cat bench.txt) $(regions bench.out | head -n 2)" \
		"0 true $(head -n 2 regions.txt)"
done
is "--list" "$(./bench --list)" "count/1000
count/3000
empty
sort: <u32>/100
false"
./bench 'empty*' 'e?pt' 'count' >bench.txt 2>&1
is "names that are none" "$? $(cat bench.txt)" "1 $nothing
./bench: e?pt: no benchmark has that name
./bench: count: no benchmark has that name"
./bench --lisp >bench.txt 2>&1
is "an option that is none" "$? $(cat bench.txt)" "2 ./bench: --lisp: expected --list or names of benchmarks"

# The example of the manual.
sed -n '/^```rust$/,/^```$/{ /^```/d; p; }' "$top_srcdir/docs/BENCH.md" >example.rs
compile --edition 2021 -D warnings -O example.rs >rustc.txt 2>&1
is "the example" "$? $(cat rustc.txt) $(./example --list)" "0  crc/64
crc/4096
sort/1000"

# Other processors have no requests yet.
sed -i 's/target_arch = "x86_64"/target_arch = "none"/' costgrind.rs
compile --edition 2021 -D warnings bench.rs >rustc.txt 2>&1
is "elsewhere" "$? $(cat rustc.txt) $(./bench 2>&1)" "0  $nothing
false"
done_testing
