/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of the tool, and Valgrind's own: the list from which the tool reads its command line and prints --help, and the
 * costgrind command completes words.  There is no code: each list is a macro that applies another one to each of its rows.  A
 * new option is a row here, a member of struct options (tool/options/options.h), and an entry of docs/costgrind.1 at the same
 * place, which a test compares with --help.
 *
 *	OPTION_GROUPS(ROW)	ROW(group, heading)
 *
 * in the order of --help.
 *
 *	TOOL_OPTIONS(ROW)	ROW(name, kind, group, flags, where, form, values, usual, help)
 *
 * Their words are defined in tool/options/optiontable.[ch].
 *
 *	kind	what the value is, and the type of the member (enum option_kind)
 *	group	the heading in --help; DEBUG: listed in --help-debug; ALIAS: listed there as another name
 *	flags	a set of enum option_flag
 *	where	VALUE(member of struct options), RULE(kind of rule), or NOWHERE
 *	form	of the value.  A form that begins with '[' or "<n>=" follows the name at once, any other after a '='
 *	values	RANGE(least, most) of a number; WORDS(...): what the words of the form mean, in their order (of several
 *		with the same meaning, the last one is shown); YES_NO; NO_VALUES
 *	usual	the default: IS(value); TEXT(text); COMPUTED: set in options_init(); NO_DEFAULT.  For an option that has no
 *		effect (kind IDLE): the value that need not be reported
 *	help	what the option does, in the imperative, or what its value is: sentence case, no full stop, without the default,
 *		which --help appends in brackets.  For one that has no effect: why
 *
 * An option that only switches on a group of events needs no member of its own: where is VALUE(simulate.counted[GROUP_X]), X
 * being a row of EVENT_GROUPS (writer/shared/events.h).
 *
 *	CORE_OPTIONS(ROW)	ROW(name, form)
 *
 * Valgrind's own that are useful with this tool, as 3.19 to 3.28 print them in --help; form is "" if there is no value.
 *
 *	LEAVE_ITEMS(ITEM)	ITEM(WHICH, name, what it is)
 *
 * What --deterministic makes reproducible, by the names that --leave has for it.
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
	ROW("--costgrind-out-file", FILE, DUMPS, ONLY_COSTGRIND, VALUE(output.out_file), "<file>", \
	    NO_VALUES, TEXT("costgrind.out.%p"), "Write the profile to this file") \
	ROW("--callgrind-out-file", FILE, DUMPS, ONLY_CALLGRIND, VALUE(output.out_file), "<file>", \
	    NO_VALUES, TEXT("callgrind.out.%p"), "Write the profile to this file") \
	ROW("--cachegrind-out-file", FILE, DUMPS, ONLY_CACHEGRIND, VALUE(output.out_file), "<file>", \
	    NO_VALUES, TEXT("cachegrind.out.%p"), "Write the profile to this file") \
	ROW("--format", BOOL, DUMPS, 0, VALUE(output.flat), "callgrind|cachegrind", \
	    WORDS(False, True), IS(False), "Format of the profile") \
	ROW("--dump-instr", BOOL, DUMPS, 0, VALUE(output.dump_instr), "yes|no", \
	    YES_NO, IS(True), "Write costs of each instruction") \
	ROW("--dump-line", BOOL, DUMPS, 0, VALUE(output.dump_line), "yes|no", \
	    YES_NO, IS(True), "Write costs of each source line") \
	ROW("--compress-strings", BOOL, DUMPS, 0, VALUE(output.compress_strings), "yes|no", \
	    YES_NO, IS(True), "Write a long name once, then its number") \
	ROW("--compress-pos", BOOL, DUMPS, 0, VALUE(output.compress_pos), "yes|no", \
	    YES_NO, IS(True), "Write positions as differences") \
	ROW("--combine-dumps", BOOL, DUMPS, 0, VALUE(output.combine_dumps), "yes|no", \
	    YES_NO, IS(False), "Write all parts to one file") \
	ROW("--desc", DESC, DUMPS, 0, VALUE(output.descs), "<name>: <text>", \
	    NO_VALUES, NO_DEFAULT, "Add a line to the profile's header") \
	ROW("--call-tree", BOOL, DUMPS, 0, VALUE(output.call_tree), "yes|no", \
	    YES_NO, IS(False), "Write costs by whole chains of callers to tree.<pid>.costgrind") \
	ROW("--call-tree-nodes", NUMBER, DUMPS, 0, VALUE(output.call_tree_nodes), "<n>", \
	    RANGE(1, CALLTREE_MAX_NODES), IS(1000000), "Keep at most n chains, and fold the rest") \
	\
	ROW("--dump-every-bb", COUNT, ACTIVITY, 0, VALUE(output.dump_every_bb), "<n>", \
	    RANGE(0, MAX_COUNT), IS(0), "Write a part every n superblocks; 0 = never") \
	ROW("--dump-every-ms", NUMBER, ACTIVITY, 0, VALUE(output.dump_every_ms), "<n>", \
	    RANGE(0, 0xffffffff), IS(0), "Write a part every n milliseconds; 0 = never") \
	ROW("--dump-before", PATTERN, ACTIVITY, 0, RULE(DUMP_BEFORE), "<pattern>", \
	    NO_VALUES, NO_DEFAULT, "Write a part when a matching function is entered") \
	ROW("--dump-after", PATTERN, ACTIVITY, 0, RULE(DUMP_AFTER), "<pattern>", \
	    NO_VALUES, NO_DEFAULT, "Write a part when a matching function is left") \
	ROW("--dump-regions", BOOL, ACTIVITY, 0, VALUE(output.dump_regions), "yes|no", \
	    YES_NO, IS(False), "Write a part when another region begins") \
	ROW("--zero-before", PATTERN, ACTIVITY, 0, RULE(ZERO_BEFORE), "<pattern>", \
	    NO_VALUES, NO_DEFAULT, "Zero all counts when a matching function is entered") \
	ROW("--fork", BOOL, ACTIVITY, MATTERS, VALUE(instrument.fork_inherits), "zero|inherit", \
	    WORDS(False, True), IS(False), "Costs that a forked child starts with") \
	\
	ROW("--instr-atstart", WORD, COLLECTION, MATTERS, VALUE(calls.instr_atstart), "yes|no|inherit", \
	    WORDS(INSTR_YES, INSTR_NO, INSTR_INHERIT), IS(INSTR_YES), \
	    "Count from the start, or after a request or command") \
	ROW("--stack-seed", BOOL, COLLECTION, MATTERS, VALUE(calls.stack_seed), "yes|no", \
	    YES_NO, IS(True), "Find the calls in progress when counting starts") \
	ROW("--collect-atstart", BOOL, COLLECTION, MATTERS, VALUE(calls.collect_atstart), "yes|no", \
	    YES_NO, IS(True), "Collect from the start, or after a request or function") \
	ROW("--toggle-collect", PATTERN, COLLECTION, 0, RULE(TOGGLE_COLLECT), "<pattern>", \
	    NO_VALUES, NO_DEFAULT, "Collect only within matching functions, or only outside") \
	ROW("--collect-region", REGION, COLLECTION, MATTERS, VALUE(calls.collect_region), "<pattern>", \
	    NO_VALUES, NO_DEFAULT, "Collect only in matching regions") \
	ROW("--collect-jumps", BOOL, COLLECTION, 0, VALUE(instrument.collect_jumps), "yes|no", \
	    YES_NO, IS(False), "Record jumps inside functions, by source and target") \
	ROW("--collect-bus", BOOL, COLLECTION, MATTERS, VALUE(simulate.counted[GROUP_BUS]), "yes|no", \
	    YES_NO, IS(False), "Count instructions that lock the bus") \
	ROW("--collect-flops", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_FLOPS]), \
	    "yes|no", \
	    YES_NO, IS(False), "Count floating-point operations") \
	ROW("--collect-bytes", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_BYTES]), \
	    "yes|no", \
	    YES_NO, IS(False), "Count bytes read and written") \
	ROW("--mix", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_MIX]), "yes|no", \
	    YES_NO, IS(False), "Count instructions by class") \
	ROW("--collect-systime", WORD, COLLECTION, MATTERS, VALUE(calls.collect_systime), "no|yes|msec|usec|nsec", \
	    WORDS(SYSTIME_NONE, SYSTIME_MSEC, SYSTIME_MSEC, SYSTIME_USEC, SYSTIME_NSEC), IS(SYSTIME_NONE), \
	    "Count system calls, and their time; yes = msec") \
	ROW("--syscall-calls", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(calls.syscall_calls), "yes|no", \
	    YES_NO, IS(False), "Show system calls as functions that are called, by name") \
	ROW("--collect-alloc", BOOL, COLLECTION, MATTERS, VALUE(simulate.counted[GROUP_ALLOC]), "yes|no", \
	    YES_NO, IS(False), "Count blocks allocated and freed, and their bytes") \
	ROW("--collect-faults", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_FAULTS]), \
	    "yes|no", \
	    YES_NO, IS(False), "Count first touches of pages") \
	ROW("--counting", COUNTING, COLLECTION, 0, VALUE(instrument.architectural), "architectural|valgrind", \
	    WORDS(True, False), COMPUTED, "Count what the processor does, or as Cachegrind does") \
	ROW("--modify", BOOL, COLLECTION, MATTERS, VALUE(instrument.modify_is_write), "read|write", \
	    WORDS(False, True), IS(False), "Count a read and write of one place as one or the other") \
	ROW("--inline", WORD, COLLECTION, MATTERS, VALUE(symbols.inlined), "no|lines|calls", \
	    WORDS(INLINED_NO, INLINED_LINES, INLINED_CALLS), IS(INLINED_LINES), \
	    "Show inlined code as its caller's line, as lines, as functions") \
	ROW("--names", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(symbols.core_names), "all|core", \
	    WORDS(False, True), IS(False), \
	    "Name code by all symbols of its file, or by those that Valgrind reads") \
	ROW("--generated-names", BOOL, COLLECTION, ONLY_COSTGRIND, VALUE(generated_names), "yes|no", \
	    YES_NO, IS(True), "Name code made at run time, as written for perf and GDB") \
	ROW("--python", BOOL, COLLECTION, MATTERS | ONLY_COSTGRIND, VALUE(frames.python), "yes|no", \
	    YES_NO, IS(False), "Name functions of Python programs (CPython 3.11 to 3.14)") \
	\
	ROW("--separate-threads", BOOL, SEPARATION, 0, VALUE(calls.separate_threads), "yes|no", \
	    YES_NO, IS(False), "Write a profile for each thread") \
	ROW("--separate-callers", CALLERS, SEPARATION, MATTERS, VALUE(symbols.separate_callers), "<n>", \
	    RANGE(0, FN_MAX_CALLERS), IS(0), "Separate functions by their last n callers") \
	ROW("--separate-callers", NUMBERED, SEPARATION, 0, RULE(CALLERS), "<n>=<pattern>", \
	    RANGE(0, FN_MAX_CALLERS), NO_DEFAULT, "The same for matching functions") \
	ROW("--separate-recs", NUMBER, SEPARATION, MATTERS, VALUE(symbols.separate_recs), "<n>", \
	    RANGE(1, FN_MAX_RECS), IS(2), "Separate levels of recursion, up to n") \
	ROW("--separate-recs", NUMBERED, SEPARATION, 0, RULE(RECS), "<n>=<pattern>", \
	    RANGE(1, FN_MAX_RECS), NO_DEFAULT, "The same for matching functions") \
	ROW("--skip-plt", BOOL, SEPARATION, MATTERS, VALUE(symbols.skip_plt), "yes|no", \
	    YES_NO, IS(True), "Count code of a PLT as part of its caller") \
	ROW("--skip-direct-rec", BOOL, SEPARATION, MATTERS, VALUE(calls.skip_direct_rec), "yes|no", \
	    YES_NO, IS(False), "Do not count a call of a function by itself as a new level") \
	ROW("--fn-skip", PATTERN, SEPARATION, 0, RULE(SKIP), "<pattern>", \
	    NO_VALUES, NO_DEFAULT, "Count matching functions as part of their callers") \
	ROW("--obj-skip", PATTERN, SEPARATION, 0, RULE(SKIP_OBJECT), "<pattern>", \
	    NO_VALUES, NO_DEFAULT, "Count functions of matching objects as part of their callers") \
	ROW("--fn-group", NUMBERED, SEPARATION, 0, RULE(GROUP), "<n>=<pattern>", \
	    RANGE(1, FN_MAX_GROUP), NO_DEFAULT, "Name matching functions by their caller within group n") \
	ROW("--pop-on-jump", OR_WITHOUT, SEPARATION, 0, RULE(POP_ON_JUMP), "[=<pattern>]", \
	    NO_VALUES, NO_DEFAULT, "Treat a jump out of a matching function as a return and a call") \
	\
	ROW("--cache-sim", BOOL, SIMULATION, MATTERS, VALUE(simulate.cache_sim), "yes|no", \
	    YES_NO, IS(True), "Simulate the caches") \
	ROW("--branch-sim", BOOL, SIMULATION, MATTERS, VALUE(simulate.branch_sim), "yes|no", \
	    YES_NO, IS(False), "Simulate the branch predictors") \
	ROW("--branch-model", WORD, SIMULATION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.branch_model), \
	    "machine|cachegrind|tage|tage8k|tage64k|exact", \
	    WORDS(BRANCH_MODEL_OF_MACHINE, BRANCH_MODEL_CACHEGRIND, BRANCH_MODEL_TAGE, \
		  BRANCH_MODEL_TAGE_8K, BRANCH_MODEL_TAGE_64K, BRANCH_MODEL_EXACT), IS(BRANCH_MODEL_OF_MACHINE), \
	    "Predictors to simulate: the machine's, Cachegrind's, or TAGE") \
	ROW("--branch-detail", BOOL, SIMULATION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_BRANCH_DETAIL]), \
	    "yes|no", \
	    YES_NO, IS(False), \
	    "Count why branches are mispredicted, for costgrind branches") \
	ROW("--cycles", BOOL, SIMULATION, MATTERS | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_CYCLES]), "yes|no", \
	    YES_NO, COMPUTED, "Count cycles by what they are spent on, where the machine has a core") \
	ROW("--cores", NUMBER, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.cores), "<n>", \
	    RANGE(1, 64), IS(1), "Simulate n cores with caches of their own, for threads") \
	ROW("--slice", NUMBER, SIMULATION, MATTERS | ONLY_COSTGRIND, VALUE(instrument.slice), "<n>", \
	    RANGE(0, 100000), IS(0), "Let each of several threads run n superblocks at most, in turn") \
	ROW("--simulate-wb", BOOL, SIMULATION, MATTERS | OF_CACHES, VALUE(simulate.simulate_wb), "yes|no", \
	    YES_NO, IS(False), "Count write-backs at misses of the last level") \
	ROW("--simulate-hwpref", BOOL, SIMULATION, MATTERS | OF_CACHES, VALUE(simulate.simulate_hwpref), "yes|no", \
	    YES_NO, IS(False), "Simulate a hardware prefetcher of the last level") \
	ROW("--cacheuse", BOOL, SIMULATION, MATTERS | OF_CACHES, VALUE(simulate.cacheuse), "yes|no", \
	    YES_NO, IS(False), "Count how cache lines are used") \
	ROW("--machine", MACHINE, SIMULATION, OF_CACHES | ONLY_COSTGRIND, VALUE(machine), "<name>|<file>|host|help", \
	    NO_VALUES, TEXT("host"), "Simulate this processor; help lists them") \
	ROW("--write-back", BOOL, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(write_back), "yes|no", \
	    YES_NO, IS(False), "Count dirty lines that are written to memory") \
	ROW("--prefetch", BOOL, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_PREFETCH]), \
	    "yes|no", \
	    YES_NO, IS(False), "Simulate the prefetchers of the machine") \
	ROW("--tlb-sim", BOOL, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.tlb_sim), "yes|no", \
	    YES_NO, IS(False), "Simulate the machine's TLBs") \
	ROW("--pages", PAGES, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.pages), \
	    "4K|2M|thp|both", \
	    WORDS(PAGES_4K, PAGES_2M, PAGES_THP, PAGES_BOTH), IS(PAGES_4K), \
	    "Page size for that; both: 4K and thp side by side") \
	ROW("--region-start", WORD, SIMULATION, MATTERS | ONLY_COSTGRIND, VALUE(calls.region_start), \
	    "warm|cold|before", \
	    WORDS(REGION_START_WARM, REGION_START_COLD, REGION_START_BEFORE), IS(REGION_START_WARM), \
	    "Caches at the start of a region: as they are, empty, as the last one left them") \
	ROW("--miss-classes", BOOL, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_CLASSES]), \
	    "yes|no", \
	    YES_NO, IS(False), "Count misses by reason: cold, capacity, conflict") \
	ROW("--miss-curve", WORD, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.miss_curve), \
	    "no|sampled|exact", \
	    WORDS(MISS_CURVE_NO, MISS_CURVE_SAMPLED, MISS_CURVE_EXACT), IS(MISS_CURVE_NO), \
	    "Count data misses of caches from 64 KiB to 256 MiB") \
	ROW("--data", BOOL, SIMULATION, OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.observes[MISS_OBSERVER_DATA]), \
	    "yes|no", \
	    YES_NO, IS(False), "Write which data misses to data.<pid>.costgrind") \
	ROW("--sharing", BOOL, SIMULATION, MATTERS | OF_CACHES | ONLY_COSTGRIND, VALUE(simulate.counted[GROUP_SHARING]), \
	    "yes|no", \
	    YES_NO, IS(False), "Write which lines threads share to data.<pid>.costgrind") \
	ROW("--data-callers", NUMBER, SIMULATION, ONLY_COSTGRIND, VALUE(data.callers), "<n>", \
	    RANGE(1, DATA_MAX_CALLERS), IS(3), "Separate blocks by n callers of the allocator") \
	ROW("--alloc-fn", ALLOCATOR, SIMULATION, ONLY_COSTGRIND, VALUE(alloc.rules), "<pattern>:size=<argument>", \
	    NO_VALUES, NO_DEFAULT, "Treat matching functions as allocators, too") \
	ROW("--I1", CACHE, SIMULATION, OF_CACHES, VALUE(i1), "<size>,<assoc>,<line>", \
	    NO_VALUES, NO_DEFAULT, "First-level instruction cache") \
	ROW("--D1", CACHE, SIMULATION, OF_CACHES, VALUE(d1), "<size>,<assoc>,<line>", \
	    NO_VALUES, NO_DEFAULT, "First-level data cache") \
	ROW("--LL", CACHE, SIMULATION, OF_CACHES, VALUE(ll), "<size>,<assoc>,<line>", \
	    NO_VALUES, NO_DEFAULT, "Last-level cache") \
	\
	ROW("--deterministic", BOOL, DETERMINISM, MATTERS, VALUE(deterministic.on), "yes|no", \
	    YES_NO, IS(False), "Show the program the same machine, time and random numbers") \
	ROW("--leave", LEAVE, DETERMINISM, MATTERS, VALUE(deterministic.left), "<item>,<item>,...", \
	    NO_VALUES, NO_DEFAULT, "Exceptions to that") \
	ROW("--cpu", CPU, DETERMINISM, MATTERS, VALUE(deterministic), "<name>[+<feature>...]", \
	    NO_VALUES, NO_DEFAULT, "Processor it sees: baseline, sse42, avx2; +erms ...") \
	ROW("--cpus", NUMBER, DETERMINISM, MATTERS, VALUE(deterministic.n_cpus), "<n>", \
	    RANGE(1, DETERMINISTIC_MAX_CPUS), IS(1), "Number of CPUs it sees") \
	ROW("--seed", NUMBER, DETERMINISM, MATTERS, VALUE(deterministic.seed), "<n>", \
	    RANGE(0, 0xffffffff), IS(0), "Seed of its random numbers") \
	ROW("--clock-start", NUMBER, DETERMINISM, MATTERS, VALUE(deterministic.clock_start), "<seconds>", \
	    RANGE(0, 0xffffffff), IS(DETERMINISTIC_CLOCK_START), \
	    "Date it sees first, in seconds since 1970") \
	ROW("--clock-rate", NUMBER, DETERMINISM, MATTERS, VALUE(deterministic.clock_rate), "<n>", \
	    RANGE(1, DETERMINISTIC_MAX_RATE), IS(CLOCK_USUAL_RATE), \
	    "Speed of its clock, in thousandths") \
	ROW("--heap-shift", NUMBER, DETERMINISM, MATTERS, VALUE(heap_shift), "<bytes>", \
	    RANGE(0, 1048576), IS(0), \
	    "Begin the heap (brk) n bytes later, to see what depends on it") \
	ROW("--load-shift", NUMBER, DETERMINISM, MATTERS, VALUE(load_shift), "<pages>", \
	    RANGE(0, 0xffff), IS(0), \
	    "Load libraries and map memory n pages further up, for the same") \
	\
	ROW("--L2", CACHE, ALIAS, OF_CACHES | OLD_NAMES, VALUE(ll), "<size>,<assoc>,<line>", \
	    NO_VALUES, NO_DEFAULT, "--LL") \
	ROW("--trace-jump", BOOL, ALIAS, 0, VALUE(instrument.collect_jumps), "yes|no", \
	    YES_NO, NO_DEFAULT, "--collect-jumps") \
	ROW("--simulate-cache", BOOL, ALIAS, 0, VALUE(simulate.cache_sim), "yes|no", \
	    YES_NO, NO_DEFAULT, "--cache-sim") \
	ROW("--instr-at-start", WORD, ALIAS, 0, VALUE(calls.instr_atstart), "yes|no|inherit", \
	    WORDS(INSTR_YES, INSTR_NO, INSTR_INHERIT), NO_DEFAULT, "--instr-atstart") \
	\
	ROW("--cold-runs", NUMBER, DEBUG, 0, VALUE(instrument.cold_runs), "<n>", \
	    RANGE(0, 0xffff), IS(200), "Executions after which code has its counters inline") \
	ROW("--check-entries", BOOL, DEBUG, 0, VALUE(instrument.check_entries), "yes|no", \
	    YES_NO, IS(False), "Assert at each block's entry that its unit is the one that runs") \
	ROW("--inline-data", BOOL, DEBUG, 0, VALUE(instrument.inline_data), "yes|no", \
	    YES_NO, IS(True), "Handle hits in D1 in generated code; else call C for all") \
	ROW("--inline-fetches", BOOL, DEBUG, 0, VALUE(instrument.inline_fetches), "yes|no", \
	    YES_NO, IS(True), "Same for I1") \
	ROW("--trace-branches", BOOL, DEBUG, 0, VALUE(simulate.trace_branches), "yes|no", \
	    YES_NO, IS(False), "Print a line for each branch that a machine's predictors see") \
	ROW("--trace-misses", BOOL, DEBUG, OF_CACHES, VALUE(simulate.observes[MISS_OBSERVER_TRACE]), "yes|no", \
	    YES_NO, IS(False), "Print a line for each reference that misses the first level") \
	ROW("--trace-calls", NUMBERED, DEBUG, 0, RULE(TRACE_CALLS), "<n>=<pattern>", \
	    RANGE(0, FN_MAX_TRACED_ARGS), NO_DEFAULT, \
	    "Print calls of matching functions, n arguments, and results") \
	\
	ROW("--simulate-sectors", IDLE, DEBUG, OF_CACHES, NOWHERE, "yes|no", \
	    YES_NO, IS(False), "No effect, as in Callgrind") \
	ROW("--mangle-names", IDLE, DEBUG, 0, NOWHERE, "yes|no", \
	    YES_NO, IS(True), "No effect: no program reads what Callgrind writes without") \
	ROW("--compress-mangled", IDLE, DEBUG, 0, NOWHERE, "yes|no", \
	    YES_NO, IS(False), "No effect: --compress-strings compresses all names") \
	ROW("--dump-bb", IDLE, DEBUG, 0, NOWHERE, "yes|no", \
	    YES_NO, IS(False), "No effect: costs belong to instructions and lines") \
	ROW("--dump-bbs", IDLE, DEBUG, 0, NOWHERE, "yes|no", \
	    YES_NO, IS(False), "No effect: costs belong to instructions and lines") \
	ROW("--ct-verbose", IDLE, DEBUG, 0, NOWHERE, "<n>", \
	    RANGE(0, MAX_COUNT), IS(0), "No effect: it traces what Callgrind does") \
	ROW("--ct-verbose", IDLE_NUMBERED, DEBUG, 0, NOWHERE, "<n>=<pattern>", \
	    RANGE(0, 999999999), NO_DEFAULT, "No effect: it traces what Callgrind does") \
	ROW("--ct-vstart", IDLE, DEBUG, 0, NOWHERE, "<n>", \
	    RANGE(0, MAX_COUNT), IS(0), "No effect: it traces what Callgrind does")

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
