/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tool's options, and Valgrind's own: the one list from which the tool reads its command
 * line and prints --help, and the costgrind command completes words.  No code: each list is a
 * macro that is given another one, for each of its rows.  A new option is a row here, a member of
 * struct options with its default, an entry of docs/costgrind.1 at the same place, and a line of
 * tests/tool/options/option_help.sh, which fails without these.
 *
 *	OPTION_GROUPS(ROW)	ROW(group, heading)
 *
 * in the order of --help.
 *
 *	TOOL_OPTIONS(ROW)	ROW(name, kind, group, flags, where, form, help)
 *
 * kind, flags and where are words of tool/options/optiontable.[ch].  group: the heading of --help
 * below which it is listed; DEBUG: in --help-debug; ALIAS: there, as another name.  form: of the
 * value; one that begins with '[' or "<n>=" comes right after the name, any other after a '='.
 * help: what it does, in the imperative, or what its value is: sentence case, no full stop at the end, without the default,
 * which is printed after it in brackets; of an option that does nothing
 * (kinds IDLE_...): why.
 *
 * An option that does no more than have a group of events counted needs no member of struct options:
 * where is VALUE(simulate.counted[GROUP_X]), X being of EVENT_GROUPS (writer/shared/events.h).
 *
 *	CORE_OPTIONS(ROW)	ROW(name, form)
 *
 * Valgrind's own that are of use with this tool, as 3.19 to 3.28 print them in --help; form is ""
 * if there is no value.
 *
 *	LEAVE_ITEMS(ITEM)	ITEM(WHICH, name, what it is)
 *
 * What --deterministic makes canonical, by the names that --leave has for it.
 */
#ifndef WRITER_SHARED_OPTIONLIST_H
#define WRITER_SHARED_OPTIONLIST_H

/* clang-format off */

#define OPTION_GROUPS(ROW) \
	ROW(DUMPS, "Dump creation options") \
	ROW(ACTIVITY, "Activity options (when parts are written)") \
	ROW(COLLECTION, "Data collection options") \
	ROW(SEPARATION, "Cost entity separation options") \
	ROW(SIMULATION, "Simulation options") \
	ROW(DETERMINISM, "Determinism options")

#define TOOL_OPTIONS(ROW) \
	ROW("--costgrind-out-file", FILE, DUMPS, ONLY_COSTGRIND, VALUE(output.out_file), \
	    "<file>", "Write the profile to this file") \
	ROW("--callgrind-out-file", FILE, DUMPS, ONLY_CALLGRIND, VALUE(output.out_file), \
	    "<file>", "Write the profile to this file") \
	ROW("--cachegrind-out-file", FILE, DUMPS, ONLY_CACHEGRIND, VALUE(output.out_file), \
	    "<file>", "Write the profile to this file") \
	ROW("--format", EITHER, DUMPS, 0, VALUE(output.flat), \
	    "callgrind|cachegrind", "Format of the profile") \
	ROW("--dump-instr", BOOL, DUMPS, 0, VALUE(output.dump_instr), \
	    "yes|no", "Write costs of each instruction") \
	ROW("--dump-line", BOOL, DUMPS, 0, VALUE(output.dump_line), \
	    "yes|no", "Write costs of each source line") \
	ROW("--compress-strings", BOOL, DUMPS, 0, VALUE(output.compress_strings), \
	    "yes|no", "Write a long name once, then its number") \
	ROW("--compress-pos", BOOL, DUMPS, 0, VALUE(output.compress_pos), \
	    "yes|no", "Write positions as differences") \
	ROW("--combine-dumps", BOOL, DUMPS, 0, VALUE(output.combine_dumps), \
	    "yes|no", "Write all parts to one file") \
	ROW("--desc", DESC, DUMPS, 0, VALUE(output.descs), \
	    "<name>: <text>", "Add a line to the profile's header") \
	ROW("--call-tree", BOOL, DUMPS, 0, VALUE(output.call_tree), \
	    "yes|no", "Write costs by whole chains of callers to tree.<pid>.costgrind") \
	ROW("--call-tree-nodes", NODES, DUMPS, 0, VALUE(output.call_tree_nodes), \
	    "<n>", "Keep at most n chains, and fold the rest") \
	\
	ROW("--dump-every-bb", COUNT, ACTIVITY, 0, VALUE(output.dump_every_bb), \
	    "<n>", "Write a part every n superblocks; 0 = never") \
	ROW("--dump-every-ms", NUMBER, ACTIVITY, 0, VALUE(output.dump_every_ms), \
	    "<n>", "Write a part every n milliseconds; 0 = never") \
	ROW("--dump-before", PATTERN, ACTIVITY, 0, RULE(DUMP_BEFORE), \
	    "<pattern>", "Write a part when such a function is entered") \
	ROW("--dump-after", PATTERN, ACTIVITY, 0, RULE(DUMP_AFTER), \
	    "<pattern>", "Write a part when such a function is left") \
	ROW("--dump-regions", BOOL, ACTIVITY, 0, VALUE(output.dump_regions), \
	    "yes|no", "Write a part when another region begins") \
	ROW("--zero-before", PATTERN, ACTIVITY, 0, RULE(ZERO_BEFORE), \
	    "<pattern>", "Set all counts to zero when such a function is entered") \
	ROW("--fork", EITHER, ACTIVITY, MATTERS, VALUE(instrument.fork_inherits), \
	    "zero|inherit", "Costs that the child of a fork begins with") \
	\
	ROW("--instr-atstart", INSTR, COLLECTION, MATTERS, VALUE(calls.instr_atstart), \
	    "yes|no|inherit", "Count from the start, or from a request or command on") \
	ROW("--stack-seed", BOOL, COLLECTION, MATTERS, VALUE(calls.stack_seed), \
	    "yes|no", "Find the calls under way when counting starts") \
	ROW("--collect-atstart", BOOL, COLLECTION, MATTERS, VALUE(calls.collect_atstart), \
	    "yes|no", "Collect from the start, or from a request or function on") \
	ROW("--toggle-collect", PATTERN, COLLECTION, 0, RULE(TOGGLE_COLLECT), \
	    "<pattern>", "Collect only within such functions, or only outside them") \
	ROW("--collect-region", REGION, COLLECTION, MATTERS, VALUE(calls.collect_region), \
	    "<pattern>", "Collect only in regions of such names") \
	ROW("--collect-jumps", BOOL, COLLECTION, 0, VALUE(instrument.collect_jumps), \
	    "yes|no", "Record jumps inside functions, by source and target") \
	ROW("--collect-bus", BOOL, COLLECTION, MATTERS, VALUE(simulate.counted[GROUP_BUS]), \
	    "yes|no", "Count instructions that lock the bus") \
	ROW("--collect-flops", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_FLOPS]), \
	    "yes|no", "Count floating-point operations") \
	ROW("--collect-bytes", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_BYTES]), \
	    "yes|no", "Count bytes read and written") \
	ROW("--mix", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_MIX]), \
	    "yes|no", "Count instructions by class") \
	ROW("--collect-systime", SYSTIME, COLLECTION, MATTERS, VALUE(calls.collect_systime), \
	    "no|yes|msec|usec|nsec", "Count system calls, and their time; yes = msec") \
	ROW("--syscall-calls", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(calls.syscall_calls), \
	    "yes|no", "Show system calls as functions that are called, by name") \
	ROW("--collect-alloc", BOOL, COLLECTION, MATTERS, VALUE(simulate.counted[GROUP_ALLOC]), \
	    "yes|no", "Count blocks allocated and freed, and their bytes") \
	ROW("--collect-faults", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_FAULTS]), \
	    "yes|no", "Count pages that are touched for the first time") \
	ROW("--counting", COUNTING, COLLECTION, 0, VALUE(instrument.architectural), \
	    "architectural|valgrind", "Count what the processor does, or as Cachegrind does") \
	ROW("--modify", EITHER, COLLECTION, MATTERS, VALUE(instrument.modify_is_write), \
	    "read|write", "Count a read and write of one place as one or the other") \
	ROW("--inline", INLINE, COLLECTION, MATTERS, VALUE(symbols.inlined), \
	    "no|lines|calls", "Show inlined code as its caller's line, as lines, as functions") \
	ROW("--names", EITHER, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(symbols.core_names), \
	    "all|core", "Name code by all symbols of its file, or by those that Valgrind reads") \
	ROW("--generated-names", BOOL, COLLECTION, ONLY_COSTGRIND, VALUE(generated_names), \
	    "yes|no", "Name code made at run time, as written for perf and GDB") \
	ROW("--python", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(frames.python), \
	    "yes|no", "Name functions of Python programs (CPython 3.11 to 3.14)") \
	\
	ROW("--separate-threads", BOOL, SEPARATION, 0, VALUE(calls.separate_threads), \
	    "yes|no", "Write a profile for each thread") \
	ROW("--separate-callers", CALLERS, SEPARATION, MATTERS, VALUE(symbols.separate_callers), \
	    "<n>", "Tell functions apart by their last n callers") \
	ROW("--separate-callers", NUMBERED, SEPARATION, 0, RULE(CALLERS), \
	    "<n>=<pattern>", "Same for functions of such a name") \
	ROW("--separate-recs", RECS, SEPARATION, MATTERS, VALUE(symbols.separate_recs), \
	    "<n>", "Tell levels of recursion apart, up to n") \
	ROW("--separate-recs", NUMBERED, SEPARATION, 0, RULE(RECS), \
	    "<n>=<pattern>", "Same for functions of such a name") \
	ROW("--skip-plt", BOOL, SEPARATION, MATTERS, VALUE(symbols.skip_plt), \
	    "yes|no", "Count code of a PLT as part of its caller") \
	ROW("--skip-direct-rec", BOOL, SEPARATION, MATTERS, VALUE(calls.skip_direct_rec), \
	    "yes|no", "Count a function's call of itself as no new level") \
	ROW("--fn-skip", PATTERN, SEPARATION, 0, RULE(SKIP), \
	    "<pattern>", "Count such functions as part of their callers") \
	ROW("--obj-skip", PATTERN, SEPARATION, 0, RULE(SKIP_OBJECT), \
	    "<pattern>", "Count functions of such objects as part of their callers") \
	ROW("--fn-group", NUMBERED, SEPARATION, 0, RULE(GROUP), \
	    "<n>=<pattern>", "Name such functions by their caller within group n") \
	ROW("--pop-on-jump", OR_WITHOUT, SEPARATION, 0, RULE(POP_ON_JUMP), \
	    "[=<pattern>]", "Take a jump out of such a function as a return and a call") \
	\
	ROW("--cache-sim", BOOL, SIMULATION, MATTERS, VALUE(simulate.cache_sim), \
	    "yes|no", "Simulate the caches") \
	ROW("--branch-sim", BOOL, SIMULATION, MATTERS, VALUE(simulate.branch_sim), \
	    "yes|no", "Simulate the branch predictors") \
	ROW("--branch-model", BRANCHES, SIMULATION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.branch_model), \
	    "machine|cachegrind|tage|tage8k|tage64k|exact", "Predictors to simulate: the machine's, Cachegrind's, or TAGE") \
	ROW("--branch-detail", BOOL, SIMULATION, MATTERS | ONLY_COSTGRIND, \
	    VALUE(simulate.counted[GROUP_BRANCH_DETAIL]), \
	    "yes|no", "Count what tells why branches are mispredicted, for costgrind branches") \
	ROW("--cycles", BOOL, SIMULATION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_CYCLES]), \
	    "yes|no", "Count cycles by what they are spent on, where the machine has a core") \
	ROW("--simulate-wb", BOOL, SIMULATION, MATTERS | OF_CACHES, VALUE(simulate.simulate_wb), \
	    "yes|no", "Count write-backs at misses of the last level") \
	ROW("--simulate-hwpref", BOOL, SIMULATION, MATTERS | OF_CACHES, VALUE(simulate.simulate_hwpref), \
	    "yes|no", "Simulate a hardware prefetcher of the last level") \
	ROW("--cacheuse", BOOL, SIMULATION, MATTERS | OF_CACHES, VALUE(simulate.cacheuse), \
	    "yes|no", "Count how cache lines are used") \
	ROW("--machine", MACHINE, SIMULATION, OF_CACHES | ONLY_COSTGRIND, VALUE(machine), \
	    "<name>|<file>|host|help", "Simulate this processor; help lists them") \
	ROW("--write-back", BOOL, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(write_back), \
	    "yes|no", "Count dirty lines that are written to memory") \
	ROW("--prefetch", BOOL, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, \
	    VALUE(simulate.counted[GROUP_PREFETCH]), \
	    "yes|no", "Simulate the prefetchers of the machine") \
	ROW("--tlb-sim", BOOL, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.tlb_sim), \
	    "yes|no", "Simulate the machine's TLBs") \
	ROW("--pages", PAGING, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.pages), \
	    "4K|2M|thp|both", "Page size for that; both: 4K and thp side by side") \
	ROW("--region-start", START, SIMULATION, MATTERS | ONLY_COSTGRIND, VALUE(calls.region_start), \
	    "warm|cold|before", "What regions find in caches: all, nothing, what the last one left") \
	ROW("--miss-classes", BOOL, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, \
	    VALUE(simulate.counted[GROUP_CLASSES]), \
	    "yes|no", "Count misses by reason: cold, capacity, conflict") \
	ROW("--miss-curve", CURVE, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.miss_curve), \
	    "no|sampled|exact", "Count data misses of caches from 64 KiB to 256 MiB") \
	ROW("--data", BOOL, SIMULATION, OF_CACHES | ONLY_COSTGRIND, \
	    VALUE(simulate.observes[MISS_OBSERVER_DATA]), \
	    "yes|no", "Write which data misses to data.<pid>.costgrind") \
	ROW("--data-callers", CHAIN, SIMULATION, ONLY_COSTGRIND, VALUE(data.callers), \
	    "<n>", "Tell blocks apart by n callers of the allocator") \
	ROW("--alloc-fn", ALLOCATOR, SIMULATION, ONLY_COSTGRIND, VALUE(alloc.rules), \
	    "<pattern>:size=<argument>", "Treat such functions as allocators, too") \
	ROW("--I1", CACHE, SIMULATION, OF_CACHES, VALUE(i1), \
	    "<size>,<assoc>,<line>", "First-level instruction cache") \
	ROW("--D1", CACHE, SIMULATION, OF_CACHES, VALUE(d1), \
	    "<size>,<assoc>,<line>", "First-level data cache") \
	ROW("--LL", CACHE, SIMULATION, OF_CACHES, VALUE(ll), \
	    "<size>,<assoc>,<line>", "Last-level cache") \
	\
	ROW("--deterministic", BOOL, DETERMINISM, MATTERS, VALUE(deterministic.on), \
	    "yes|no", "Show the program the same machine, time and chance every run") \
	ROW("--leave", LEAVE, DETERMINISM, MATTERS, VALUE(deterministic.left), \
	    "<item>,<item>,...", "Exceptions to that") \
	ROW("--cpu", CPU, DETERMINISM, MATTERS, VALUE(deterministic), \
	    "<name>[+<feature>...]", "Processor it sees: baseline, sse42, avx2; +erms ...") \
	ROW("--cpus", CPUS, DETERMINISM, MATTERS, VALUE(deterministic.n_cpus), \
	    "<n>", "Number of CPUs it sees") \
	ROW("--seed", NUMBER, DETERMINISM, MATTERS, VALUE(deterministic.seed), \
	    "<n>", "Seed of its random numbers") \
	ROW("--clock-start", NUMBER, DETERMINISM, MATTERS, VALUE(deterministic.clock_start), \
	    "<seconds>", "Date it sees first, in seconds since 1970") \
	ROW("--clock-rate", RATE, DETERMINISM, MATTERS, VALUE(deterministic.clock_rate), \
	    "<n>", "Speed of its clock, in thousandths") \
	ROW("--heap-shift", SHIFT, DETERMINISM, MATTERS, VALUE(heap_shift), \
	    "<bytes>", "Begin the heap (brk) n bytes later, to see what depends on it") \
	ROW("--load-shift", PAGES, DETERMINISM, MATTERS, VALUE(load_shift), \
	    "<pages>", "Load libraries and map memory n pages further up, for the same") \
	\
	ROW("--L2", CACHE, ALIAS, OF_CACHES | OLD_NAMES, VALUE(ll), "<size>,<assoc>,<line>", "--LL") \
	ROW("--trace-jump", BOOL, ALIAS, 0, VALUE(instrument.collect_jumps), "yes|no", "--collect-jumps") \
	ROW("--simulate-cache", BOOL, ALIAS, 0, VALUE(simulate.cache_sim), "yes|no", "--cache-sim") \
	ROW("--instr-at-start", INSTR, ALIAS, 0, VALUE(calls.instr_atstart), "yes|no|inherit", "--instr-atstart") \
	\
	ROW("--cold-runs", RUNS, DEBUG, 0, VALUE(instrument.cold_runs), \
	    "<n>", "Executions after which code has its counters inline") \
	ROW("--check-entries", BOOL, DEBUG, 0, VALUE(instrument.check_entries), \
	    "yes|no", "Assert at each block's entry that its unit is the one that runs") \
	ROW("--engine", EITHER, DEBUG, 0, VALUE(instrument.reference_engine), \
	    "inline|plain", "Engine that counts: generated code, or C to check it against") \
	ROW("--inline-data", BOOL, DEBUG, 0, VALUE(instrument.inline_data), \
	    "yes|no", "Handle hits in D1 in generated code; else call C for all") \
	ROW("--inline-fetches", BOOL, DEBUG, 0, VALUE(instrument.inline_fetches), \
	    "yes|no", "Same for I1") \
	ROW("--trace-branches", BOOL, DEBUG, 0, VALUE(simulate.trace_branches), \
	    "yes|no", "Print a line for each branch that a machine's predictors see") \
	ROW("--trace-misses", BOOL, DEBUG, OF_CACHES, VALUE(simulate.observes[MISS_OBSERVER_TRACE]), \
	    "yes|no", "Print a line for each reference that misses the first level") \
	ROW("--trace-calls", NUMBERED, DEBUG, 0, RULE(TRACE_CALLS), \
	    "<n>=<pattern>", "Print calls of such functions, n arguments, and results") \
	\
	ROW("--simulate-sectors", IDLE_NO, DEBUG, OF_CACHES, NOWHERE, \
	    "yes|no", "No effect, as in Callgrind") \
	ROW("--mangle-names", IDLE_YES, DEBUG, 0, NOWHERE, \
	    "yes|no", "No effect: no program reads what Callgrind writes without") \
	ROW("--compress-mangled", IDLE_NO, DEBUG, 0, NOWHERE, \
	    "yes|no", "No effect: --compress-strings compresses all names") \
	ROW("--dump-bb", IDLE_NO, DEBUG, 0, NOWHERE, \
	    "yes|no", "No effect: costs are those of instructions and lines") \
	ROW("--dump-bbs", IDLE_NO, DEBUG, 0, NOWHERE, \
	    "yes|no", "No effect: costs are those of instructions and lines") \
	ROW("--ct-verbose", IDLE_COUNT, DEBUG, 0, NOWHERE, \
	    "<n>", "No effect: it traces what Callgrind does") \
	ROW("--ct-verbose", IDLE_NUMBERED, DEBUG, 0, NOWHERE, \
	    "<n>=<pattern>", "No effect: it traces what Callgrind does") \
	ROW("--ct-vstart", IDLE_COUNT, DEBUG, 0, NOWHERE, \
	    "<n>", "No effect: it traces what Callgrind does")

#define CORE_OPTIONS(ROW) \
	ROW("--tool", "<name>") \
	ROW("--help", "") \
	ROW("--help-debug", "") \
	ROW("--help-dyn-options", "") \
	ROW("--version", "") \
	ROW("--quiet", "") \
	ROW("--verbose", "") \
	ROW("--command-line-only", "no|yes") \
	ROW("--trace-children", "no|yes") \
	ROW("--trace-children-skip", "<pattern>,<pattern>,...") \
	ROW("--trace-children-skip-by-arg", "<pattern>,<pattern>,...") \
	ROW("--child-silent-after-fork", "no|yes") \
	ROW("--vgdb", "no|yes|full") \
	ROW("--vgdb-error", "<n>") \
	ROW("--vgdb-stop-at", "<event>,<event>,...") \
	ROW("--vgdb-poll", "<n>") \
	ROW("--vgdb-shadow-registers", "no|yes") \
	ROW("--vgdb-prefix", "<prefix>") \
	ROW("--track-fds", "no|yes|all") \
	ROW("--time-stamp", "no|yes") \
	ROW("--log-fd", "<n>") \
	ROW("--log-file", "<file>") \
	ROW("--log-socket", "<address>:<port>") \
	ROW("--enable-debuginfod", "no|yes") \
	ROW("--demangle", "no|yes") \
	ROW("--num-callers", "<n>") \
	ROW("--keep-debuginfo", "no|yes") \
	ROW("--show-below-main", "no|yes") \
	ROW("--input-fd", "<n>") \
	ROW("--max-stackframe", "<n>") \
	ROW("--main-stacksize", "<n>") \
	ROW("--max-threads", "<n>") \
	ROW("--fullpath-after", "<text>") \
	ROW("--extra-debuginfo-path", "<path>") \
	ROW("--debuginfo-server", "<address>:<port>") \
	ROW("--allow-mismatched-debuginfo", "no|yes") \
	ROW("--smc-check", "none|stack|all|all-non-file") \
	ROW("--read-inline-info", "yes|no") \
	ROW("--read-var-info", "yes|no") \
	ROW("--run-libc-freeres", "no|yes") \
	ROW("--run-cxx-freeres", "no|yes") \
	ROW("--sim-hints", "<hint>,<hint>,...") \
	ROW("--scheduling-quantum", "<n>") \
	ROW("--fair-sched", "no|yes|try") \
	ROW("--kernel-variant", "<variant>,<variant>,...") \
	ROW("--merge-recursive-frames", "<n>") \
	ROW("--num-transtab-sectors", "<n>") \
	ROW("--avg-transtab-entry-size", "<n>") \
	ROW("--aspace-minaddr", "<address>") \
	ROW("--valgrind-stacksize", "<n>") \
	ROW("--show-emwarns", "no|yes") \
	ROW("--require-text-symbol", ":<object>:<symbol>") \
	ROW("--soname-synonyms", "<synonym>=<pattern>,...") \
	ROW("--sigill-diagnostics", "yes|no") \
	ROW("--unw-stack-scan-thresh", "<n>") \
	ROW("--stats", "no|yes") \
	ROW("--trace-syscalls", "no|yes") \
	ROW("--trace-signals", "no|yes") \
	ROW("--trace-symtab", "no|yes")

#define LEAVE_ITEMS(ITEM) \
	ITEM(CPU, "cpu", "CPUID, AT_HWCAP, /proc/cpuinfo, sizes of caches") \
	ITEM(TSC, "tsc", "RDTSC and RDTSCP") \
	ITEM(RANDOM, "random", "RDRAND, AT_RANDOM, getrandom(), /dev/urandom, UUIDs") \
	ITEM(CLOCK, "clock", "date and time, timeouts") \
	ITEM(USAGE, "usage", "CPU time, getrusage(), times()") \
	ITEM(CPUS, "cpus", "how many CPUs there are, and on which the program runs") \
	ITEM(SYSTEM, "system", "names of machine and kernel") \
	ITEM(MEMORY, "memory", "sysinfo(), /proc/meminfo, /proc/loadavg") \
	ITEM(FILES, "files", "times of files: whole seconds, the last change")

/* clang-format on */

#endif
