/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is known about events: the one table that the tool, the reader of profiles, the commands and
 * the page of costgrind report are made from, and that the documentation is held against
 * (tests/writer/shared/events_test.c).  No code: each list is a macro that is given another one, for
 * each of its rows.  A preprocessor alone has to understand it, for the page's sake.
 *
 *	EVENTS(ROW)	ROW(id, name, long name, origin, group, cost, of, old name,
 *			    unit, text, owner)
 *
 * in the order of a profile's columns: Cachegrind's, with Callgrind's after those they are akin to.
 *
 *	id		EVENT_IR in the tool
 *	name		[A-Za-z][A-Za-z0-9]*
 *	long name	as it is in profiles
 *	origin		what sees that it happens, below
 *	group		of EVENT_GROUPS: what has to be switched on
 *	cost		what it adds to estimated cycles: EVENT_CYCLES_OF_... below
 *	of		the event that must have happened for this one to be possible, itself if
 *			it is one that executes; NULL = any line can have it
 *	old name	in files of Valgrind 3.2 and the like; NULL = none
 *	unit		what a count of 1 is
 *	text		what costgrind help events says
 *	owner		VALGRINDS, if a tool of Valgrind's has it by this name; OWN if none has
 *
 * Origins; each is a stretch of the tool's counters (tool/common/event.h):
 *
 *	INSTRUCTION	static: what translation sees of every instruction
 *	PREDICTION	a branch predictor was wrong
 *	MISS		a cache did not have it
 *	ROUND		static: a rep instruction goes round
 *	TRAIT		static: what translation sees of few instructions, in few runs
 *	LOSS		tenths of a cycle that are lost when it happens, in runs that count cycles
 *	CYCLE		static: tenths of a cycle that instructions take, in such runs
 *	WORK		what instructions do, static but for lanes that are masked, in runs that ask
 *	SELDOM_BRANCH	what else is known about branches, in runs with a predictor that is not Cachegrind's
 *	PAGE_MISS	a TLB did not have the page, in runs that simulate TLBs
 *	COHERENCE	what a reference does to the caches of other cores, in runs that simulate several
 *	SELDOM_MISS	what else a miss may be, in few runs
 *	SYSTEM		the system was called, or a library that deals out what is the system's: rare
 *	CLASS		why a cache did not have it, in runs that ask
 *	SIZE		a cache of that size would not have had it, in such runs
 *	LINE_USE	known when a cache line goes, or comes unasked, and noted where it came from: calls
 *			have no inclusive cost of it, and nothing shows one (event_is_inclusive() of the commands,
 *			OWN_EVENTS of the page)
 *
 * A new event is a row here, and the code that counts it.
 *
 *	EVENT_GROUPS(ROW)	ROW(group, option)
 *
 * option switches the group on, with a value if it is not "yes".  NULL: it is always on.
 *
 *	LEVELS(ROW)		ROW(id, group, fetch, read, write)
 *
 * The levels of caches, from the processor on: id is the name of its cache for data; the events are
 * what a reference that misses it counts, all of one group.  The first level and LL, the last one, are
 * always there; another one is if the machine has it (sim/machinefile.h), and has a group of its own.
 * DERIVED_EVENTS have to know about it.
 *
 *	DERIVED_EVENTS(ROW)	ROW(name, formula, needs, long name, text)
 *
 * Sums that are columns where all that they need was recorded; of the formula, what was not is left
 * out.  A formula may name those above it.  text: as above, after the formula.  EstCyc is the one
 * whose formula can be set, so it is apart.  All commands and the page have these, and show
 * Cyc first, else EstCyc (profile/analysis/metric.h).
 *
 *	EVENT_COUNTERS(ROW)	ROW(name, in perf, in manuals)
 *
 * What a processor counts of the kind.
 *
 *	CYCLE_PARTS(ROW)	ROW(id, name, term, word)
 *
 * What people call the parts of Cyc.
 */
#ifndef WRITER_SHARED_EVENTS_H
#define WRITER_SHARED_EVENTS_H

/* Cycles that EstCyc counts for a reference that is served there, and for a misprediction. */
#define EVENT_CYCLES_L1     1
#define EVENT_CYCLES_LL     5
#define EVENT_CYCLES_RAM    35
#define EVENT_CYCLES_BRANCH 0
/* ... where mispredictions have to be set against misses: what the report shows of code, and when. */
#define EVENT_CYCLES_WRONG_BRANCH 10

/* So these are the weights of events: each reference counts as if L1 served it. */
#define EVENT_CYCLES_OF_NOTHING       0
#define EVENT_CYCLES_OF_REFERENCE     EVENT_CYCLES_L1
#define EVENT_CYCLES_OF_L1_MISS       (EVENT_CYCLES_LL - EVENT_CYCLES_L1)
#define EVENT_CYCLES_OF_LL_MISS       (EVENT_CYCLES_RAM - EVENT_CYCLES_LL)
#define EVENT_CYCLES_OF_MISPREDICTION EVENT_CYCLES_BRANCH

/* A number as text. */
#define EVENT_TEXT_OF(number) #number
#define EVENT_TEXT(number)    EVENT_TEXT_OF(number)

#define EVENT_CYCLES_TEXT                                                         \
 EVENT_TEXT(EVENT_CYCLES_L1)                                                      \
 "," EVENT_TEXT(EVENT_CYCLES_LL) "," EVENT_TEXT(EVENT_CYCLES_RAM) "," EVENT_TEXT( \
	 EVENT_CYCLES_BRANCH)

/*
 * EVENT_IF(a, b, text): the text and a comma, if a and b are the same origin, else nothing.  Of a
 * pair that is the same there is a macro, whose comma moves the text past what is thrown away.
 */
#define EVENT_IF_INSTRUCTION_INSTRUCTION     ~,
#define EVENT_IF_PREDICTION_PREDICTION       ~,
#define EVENT_IF_MISS_MISS                   ~,
#define EVENT_IF_ROUND_ROUND                 ~,
#define EVENT_IF_TRAIT_TRAIT                 ~,
#define EVENT_IF_LOSS_LOSS                   ~,
#define EVENT_IF_CYCLE_CYCLE                 ~,
#define EVENT_IF_WORK_WORK                   ~,
#define EVENT_IF_SELDOM_BRANCH_SELDOM_BRANCH ~,
#define EVENT_IF_PAGE_MISS_PAGE_MISS         ~,
#define EVENT_IF_COHERENCE_COHERENCE         ~,
#define EVENT_IF_SELDOM_MISS_SELDOM_MISS     ~,
#define EVENT_IF_SYSTEM_SYSTEM               ~,
#define EVENT_IF_CLASS_CLASS                 ~,
#define EVENT_IF_SIZE_SIZE                   ~,
#define EVENT_IF_LINE_USE_LINE_USE           ~,
#define EVENT_BEHIND(first, ...)             __VA_ARGS__
#define EVENT_BEHIND_ALL(...)                EVENT_BEHIND(__VA_ARGS__)
#define EVENT_IF(a, b, text)                 EVENT_BEHIND_ALL(EVENT_IF_##a##_##b text, )

/* clang-format off */

/* In a profile, the unit comes after it. */
#define EVENT_SYS_TIME_NAME "Elapsed time of system calls"

#define EVENTS(ROW) \
	ROW(IR, "Ir", "Instructions executed", INSTRUCTION, ALWAYS, REFERENCE, "Ir", NULL, "instruction", \
	    "Instructions executed; a rep instruction is one, whatever its iterations (below).", VALGRINDS) \
	ROW(DR, "Dr", "Data reads", INSTRUCTION, CACHE, REFERENCE, "Dr", NULL, "read", \
	    "Instructions' reads of memory; reading and writing one place is one read.", VALGRINDS) \
	ROW(DW, "Dw", "Data writes", INSTRUCTION, CACHE, REFERENCE, "Dw", NULL, "write", \
	    "Instructions' writes to memory.", VALGRINDS) \
	ROW(I1MR, "I1mr", "L1 instruction fetch misses", MISS, CACHE, L1_MISS, "Ir", NULL, "miss", \
	    "Instructions fetched that the first-level instruction cache did not have.", VALGRINDS) \
	ROW(D1MR, "D1mr", "L1 data read misses", MISS, CACHE, L1_MISS, "Dr", NULL, "miss", \
	    "Reads that the first-level data cache did not have.", VALGRINDS) \
	ROW(D1MW, "D1mw", "L1 data write misses", MISS, CACHE, L1_MISS, "Dw", NULL, "miss", \
	    "Writes that the first-level data cache did not have.", VALGRINDS) \
	ROW(L2IR, "L2ir", "L2 instruction fetch misses", MISS, L2, NOTHING, "Ir", NULL, "miss", \
	    "Instructions fetched that L2 did not have either, where that is not the last level.", OWN) \
	ROW(L2DR, "L2dr", "L2 data read misses", MISS, L2, NOTHING, "Dr", NULL, "miss", \
	    "Reads that L2 did not have either, where that is not the last level.", OWN) \
	ROW(L2DW, "L2dw", "L2 data write misses", MISS, L2, NOTHING, "Dw", NULL, "miss", \
	    "Writes that L2 did not have either, where that is not the last level.", OWN) \
	ROW(L3IR, "L3ir", "L3 instruction fetch misses", SELDOM_MISS, L3, NOTHING, "Ir", NULL, "miss", \
	    "Instructions fetched that missed L3, if there is an L4.", OWN) \
	ROW(L3DR, "L3dr", "L3 data read misses", SELDOM_MISS, L3, NOTHING, "Dr", NULL, "miss", \
	    "Reads that missed L3, if there is an L4.", OWN) \
	ROW(L3DW, "L3dw", "L3 data write misses", SELDOM_MISS, L3, NOTHING, "Dw", NULL, "miss", \
	    "Writes that missed L3, if there is an L4.", OWN) \
	ROW(ILMR, "ILmr", "Last-level instruction fetch misses", MISS, CACHE, LL_MISS, "Ir", "I2mr", "miss", \
	    "Instructions fetched that the last-level cache did not have either.", VALGRINDS) \
	ROW(DLMR, "DLmr", "Last-level data read misses", MISS, CACHE, LL_MISS, "Dr", "D2mr", "miss", \
	    "Reads that the last-level cache did not have either.", VALGRINDS) \
	ROW(DLMW, "DLmw", "Last-level data write misses", MISS, CACHE, LL_MISS, "Dw", "D2mw", "miss", \
	    "Writes that the last-level cache did not have either.", VALGRINDS) \
	ROW(WRITTEN, "Wb", "Dirty lines written to memory", MISS, DIRTY, NOTHING, NULL, NULL, "line", \
	    "Changed lines that this instruction's misses pushed out of the last cache that had them, to memory.", OWN) \
	ROW(ILDMR, "ILdmr", "Last-level fetch misses with write-back", SELDOM_MISS, WRITE_BACK, NOTHING, \
	    "Ir", "I2dmr", "miss", \
	    "Of ILmr, those that pushed out a changed line, to be written back.", VALGRINDS) \
	ROW(DLDMR, "DLdmr", "Last-level data read misses with write-back", SELDOM_MISS, WRITE_BACK, NOTHING, \
	    "Dr", "D2dmr", "miss", \
	    "Of DLmr, those that pushed out a changed line, to be written back.", VALGRINDS) \
	ROW(DLDMW, "DLdmw", "Last-level data write misses with write-back", SELDOM_MISS, WRITE_BACK, NOTHING, \
	    "Dw", "D2dmw", "miss", \
	    "Of DLmw, those that pushed out a changed line, to be written back.", VALGRINDS) \
	ROW(BC, "Bc", "Conditional branches executed", INSTRUCTION, BRANCH, NOTHING, "Bc", NULL, "branch", \
	    "Conditional branches executed.", VALGRINDS) \
	ROW(BCM, "Bcm", "Conditional branches mispredicted", PREDICTION, BRANCH, MISPREDICTION, \
	    "Bc", NULL, "misprediction", \
	    "Of Bc, those whose direction was predicted wrongly.", VALGRINDS) \
	ROW(BI, "Bi", "Indirect branches executed", INSTRUCTION, BRANCH, NOTHING, "Bi", NULL, "branch", \
	    "Indirect jumps and calls executed, to addresses that are computed.", VALGRINDS) \
	ROW(BIM, "Bim", "Indirect branches mispredicted", PREDICTION, BRANCH, MISPREDICTION, \
	    "Bi", NULL, "misprediction", \
	    "Of Bi, those whose target was predicted wrongly.", VALGRINDS) \
	ROW(BR, "Br", "Returns executed", SELDOM_BRANCH, RETURNS, NOTHING, "Br", NULL, "return", \
	    "Returns executed.", OWN) \
	ROW(BRM, "Brm", "Returns mispredicted", SELDOM_BRANCH, RETURNS, MISPREDICTION, "Br", NULL, "misprediction", \
	    "Of Br, those whose address the return stack had lost, or never had.", OWN) \
	ROW(BTM, "Btm", "Branch target buffer misses", SELDOM_BRANCH, RETURNS, NOTHING, NULL, NULL, "miss", \
	    "Jumps, calls, returns and taken branches that the branch target buffer did not know.", OWN) \
	ROW(BCT, "Bct", "Conditional branches taken", SELDOM_BRANCH, BRANCH_DETAIL, NOTHING, "Bc", NULL, "branch", \
	    "Of Bc, those that were taken.", OWN) \
	ROW(BCB, "Bcb", "Branches mispredicted by a counter each", SELDOM_BRANCH, BRANCH_DETAIL, NOTHING, "Bc", NULL, "misprediction", \
	    "Of Bc, those that a two-bit counter for each branch would have mispredicted.", OWN) \
	ROW(BCH, "Bch", "Branches mispredicted by their own history", SELDOM_BRANCH, BRANCH_DETAIL, NOTHING, "Bc", NULL, "misprediction", \
	    "Of Bc, those that a table by the last 12 outcomes of each branch would have mispredicted.", OWN) \
	ROW(CYBASE, "CyBase", "Cycles (tenths): core bound", CYCLE, CYCLES, NOTHING, "Ir", NULL, "1/10 cycle", \
	    "Cycles that instructions take of the core's width and ports.", OWN) \
	ROW(CYDEP, "CyDep", "Cycles (tenths): dependencies", CYCLE, CYCLES, NOTHING, "Ir", NULL, "1/10 cycle", \
	    "Cycles that instructions wait for the results of others, beyond that.", OWN) \
	ROW(CYFE, "CyFe", "Cycles (tenths): front end", CYCLE, CYCLES, NOTHING, "Ir", NULL, "1/10 cycle", \
	    "Cycles that the core waits for code: to be fetched, or to come from a cache.", OWN) \
	ROW(CYBR, "CyBr", "Cycles (tenths): bad speculation", LOSS, CYCLES, NOTHING, NULL, NULL, "1/10 cycle", \
	    "Cycles lost by branches predicted wrongly, and by those that the target buffer did not know.", OWN) \
	ROW(CYMEM, "CyMem", "Cycles (tenths): memory bound", LOSS, CYCLES, NOTHING, NULL, NULL, "1/10 cycle", \
	    "Cycles of data misses that nothing hides.", OWN) \
	ROW(CYTLB, "CyTlb", "Cycles (tenths): TLB", LOSS, CYCLES, NOTHING, NULL, NULL, "1/10 cycle", \
	    "Cycles of TLB misses that nothing hides.", OWN) \
	ROW(ACCOST1, "AcCost1", "L1 lines: 1000 / uses of each", LINE_USE, USE, NOTHING, NULL, NULL, "1/1000", \
	    "Of the lines brought into a first level: 1000 / accesses to each, summed up.", VALGRINDS) \
	ROW(SPLOSS1, "SpLoss1", "L1 lines: bytes never used", LINE_USE, USE, NOTHING, NULL, NULL, "byte", \
	    "Of the lines brought into a first level: bytes that were never used.", VALGRINDS) \
	ROW(ACCOST2, "AcCost2", "Last-level lines: 1000 / uses of each", LINE_USE, USE, NOTHING, NULL, NULL, "1/1000", \
	    "Of the lines brought into the last level: 1000 / accesses to each, summed up.", VALGRINDS) \
	ROW(SPLOSS2, "SpLoss2", "Last-level lines: bytes never used", LINE_USE, USE, NOTHING, NULL, NULL, "byte", \
	    "Of the lines brought into the last level: bytes that were never used.", VALGRINDS) \
	ROW(PF, "Pf", "Lines prefetched", LINE_USE, PREFETCH, NOTHING, NULL, NULL, "line", \
	    "Lines that were prefetched because of this instruction, by a prefetcher or at its own request.", OWN) \
	ROW(PFU, "PfU", "Prefetched lines used", LINE_USE, PREFETCH, NOTHING, NULL, NULL, "line", \
	    "Of Pf, those that a reference wanted before they left their level.", OWN) \
	ROW(PFL, "PfL", "Prefetched lines used late", LINE_USE, PREFETCH, NOTHING, NULL, NULL, "line", \
	    "Of PfU, those that were wanted less than 200 instructions after they were asked for.", OWN) \
	ROW(PFX, "PfX", "Prefetched lines never used", LINE_USE, PREFETCH, NOTHING, NULL, NULL, "line", \
	    "Of Pf, those that left their level unused; the others are still there.", OWN) \
	ROW(GE, "Ge", "Bus locks", TRAIT, BUS, NOTHING, NULL, NULL, "instruction", \
	    "Instructions that lock the bus.", VALGRINDS) \
	ROW(SYS_COUNT, "sysCount", "System calls", SYSTEM, SYSTEM, NOTHING, NULL, NULL, "call", \
	    "System calls.", VALGRINDS) \
	ROW(SYS_TIME, "sysTime", EVENT_SYS_TIME_NAME, SYSTEM, SYSTEM_TIME, NOTHING, "sysCount", NULL, "ms, us or ns", \
	    "Time that system calls took, on the clock; the unit is the recording tool's.", VALGRINDS) \
	ROW(SYS_CPU_TIME, "sysCpuTime", "CPU time of system calls (ns)", SYSTEM, SYSTEM_CPU, NOTHING, "sysCount", NULL, "ns", \
	    "CPU time that system calls took, in nanoseconds.", VALGRINDS) \
	ROW(SYS_BYTES, "sysBytes", "Bytes moved by system calls", SYSTEM, SYSTEM_CALLS, NOTHING, "sysCount", NULL, "byte", \
	    "Bytes that system calls moved, as read and write return them; nothing of other calls.", OWN) \
	ROW(ALLOC_COUNT, "allocCount", "Blocks allocated", SYSTEM, ALLOC, NOTHING, NULL, NULL, "block", \
	    "Blocks of memory that allocators gave out.", VALGRINDS) \
	ROW(ALLOC_SIZE, "allocSize", "Bytes allocated", SYSTEM, ALLOC, NOTHING, NULL, NULL, "byte", \
	    "Bytes of those blocks, as many as were asked for.", VALGRINDS) \
	ROW(FREE_COUNT, "freeCount", "Blocks freed", SYSTEM, ALLOC, NOTHING, NULL, NULL, "block", \
	    "Blocks of memory that allocators took back.", OWN) \
	ROW(PG, "Pg", "Pages touched first", SYSTEM, FAULTS, NOTHING, NULL, NULL, "page", \
	    "First touches of a page of 4 KiB of a mapping, as in page faults that need no disk.", OWN) \
	ROW(REP, "Rep", "Iterations of rep instructions", ROUND, ARCHITECTURAL, NOTHING, NULL, NULL, "iteration", \
	    "Iterations of rep instructions, which are not in Ir; none with --counting=valgrind.", OWN) \
	ROW(FLS, "FlS", "Floating-point operations, single", WORK, FLOPS, NOTHING, "Ir", NULL, "operation", \
	    "Floating-point operations in single precision, in all lanes; a fused multiply-add is two.", OWN) \
	ROW(FLD, "FlD", "Floating-point operations, double", WORK, FLOPS, NOTHING, "Ir", NULL, "operation", \
	    "The same in double precision.", OWN) \
	ROW(FLX, "FlX", "Floating-point operations, x87", WORK, FLOPS, NOTHING, "Ir", NULL, "operation", \
	    "Floating-point operations of x87.", OWN) \
	ROW(FL128, "Fl128", "Floating-point instructions, 128 bits", WORK, FLOPS, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions with floating-point operations on vectors of 128 bits.", OWN) \
	ROW(FL256, "Fl256", "Floating-point instructions, 256 bits", WORK, FLOPS, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions with floating-point operations on vectors of 256 bits.", OWN) \
	ROW(BYTR, "BytR", "Bytes read", WORK, BYTES, NOTHING, "Ir", NULL, "byte", \
	    "Bytes of memory that instructions read, except in masked lanes.", OWN) \
	ROW(BYTW, "BytW", "Bytes written", WORK, BYTES, NOTHING, "Ir", NULL, "byte", \
	    "Bytes of memory that instructions write, except in masked lanes.", OWN) \
	ROW(LD, "Ld", "Instructions that read memory", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions that read memory, whatever else they do; those with masked lanes and strings, too.", OWN) \
	ROW(ST, "St", "Instructions that write memory", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions that write memory.", OWN) \
	ROW(JMP, "Jmp", "Jumps, calls and returns", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions by class: jumps, calls and returns, with conditions or without.", OWN) \
	ROW(AL, "Al", "Integer and logical instructions", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions by class: integers, of vectors too: arithmetic, logic, comparisons, lea.", OWN) \
	ROW(FA, "Fa", "Floating-point instructions", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions by class: floating-point arithmetic and comparisons that are none of the others.", OWN) \
	ROW(MUL, "Mul", "Multiplications", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions by class: multiplications, of all types of numbers, also fused ones.", OWN) \
	ROW(DIV, "Div", "Divisions and roots", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions by class: divisions, remainders, square roots, reciprocals.", OWN) \
	ROW(CV, "Cv", "Conversions", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions by class: conversions between types and sizes of numbers.", OWN) \
	ROW(SHF, "Shf", "Shuffles", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions by class: lanes of vectors change places.", OWN) \
	ROW(MOV, "Mov", "Moves", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions by class: values as they are, between registers and memory.", OWN) \
	ROW(NOP, "Nop", "Nops", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions by class: those that do nothing, prefetches too.", OWN) \
	ROW(SYS, "Sys", "System instructions", WORK, MIX, NOTHING, "Ir", NULL, "instruction", \
	    "Instructions by class: system calls, the state of the processor, fences, and what is not known.", OWN) \
	ROW(ITM, "ITm", "Instruction TLB misses", PAGE_MISS, TLB, NOTHING, "Ir", NULL, "miss", \
	    "Instructions fetched whose page the first-level TLB did not have.", OWN) \
	ROW(DTM, "DTm", "Data TLB misses", PAGE_MISS, TLB, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes whose page the first-level TLB did not have.", OWN) \
	ROW(ISM, "ISm", "Page walks for instructions", PAGE_MISS, TLB, NOTHING, "Ir", NULL, "walk", \
	    "Of ITm, those that the second-level TLB did not have either: the page table was walked.", OWN) \
	ROW(DSM, "DSm", "Page walks for data", PAGE_MISS, TLB, NOTHING, NULL, NULL, "walk", \
	    "Of DTm, those that the second-level TLB did not have either: the page table was walked.", OWN) \
	ROW(ITM2M, "ITm2M", "Instruction TLB misses with huge pages", PAGE_MISS, TLB_2M, NOTHING, "Ir", NULL, \
	    "miss", "What ITm would be with transparent huge pages.", OWN) \
	ROW(DTM2M, "DTm2M", "Data TLB misses with huge pages", PAGE_MISS, TLB_2M, NOTHING, NULL, NULL, \
	    "miss", "What DTm would be with transparent huge pages.", OWN) \
	ROW(ISM2M, "ISm2M", "Page walks for instructions with huge pages", PAGE_MISS, TLB_2M, NOTHING, "Ir", NULL, \
	    "walk", "What ISm would be with transparent huge pages.", OWN) \
	ROW(DSM2M, "DSm2M", "Page walks for data with huge pages", PAGE_MISS, TLB_2M, NOTHING, NULL, NULL, \
	    "walk", "What DSm would be with transparent huge pages.", OWN) \
	ROW(I1COLD, "I1cold", "L1 instruction misses: cold", CLASS, CLASSES, NOTHING, NULL, NULL, "miss", \
	    "Of I1mr, those of lines that had never been asked for before.", OWN) \
	ROW(I1CAP, "I1cap", "L1 instruction misses: capacity", CLASS, CLASSES, NOTHING, NULL, NULL, "miss", \
	    "Of I1mr, those that a fully associative LRU cache of that size misses, too, without cold ones.", OWN) \
	ROW(I1CONF, "I1conf", "L1 instruction misses: conflict", CLASS, CLASSES, NOTHING, NULL, NULL, "miss", \
	    "Of I1mr, the others: the line's set had no room for it, the cache had.", OWN) \
	ROW(D1COLD, "D1cold", "L1 data misses: cold", CLASS, CLASSES, NOTHING, NULL, NULL, "miss", \
	    "Of misses of D1, those of lines that had never been asked for before.", OWN) \
	ROW(D1CAP, "D1cap", "L1 data misses: capacity", CLASS, CLASSES, NOTHING, NULL, NULL, "miss", \
	    "Of misses of D1, those that a fully associative LRU cache of that size misses, too, without cold ones.", OWN) \
	ROW(D1CONF, "D1conf", "L1 data misses: conflict", CLASS, CLASSES, NOTHING, NULL, NULL, "miss", \
	    "Of misses of D1, the others: the line's set had no room for it, the cache had.", OWN) \
	ROW(D1ANTI, "D1anti", "L1 data hits that full associativity would miss", CLASS, CLASSES, NOTHING, NULL, NULL, "hit", \
	    "Reads and writes that hit D1, and would miss a fully associative LRU cache of its size.", OWN) \
	ROW(L2COLD, "L2cold", "L2 misses: cold", CLASS, CLASSES_L2, NOTHING, NULL, NULL, "miss", \
	    "Of misses of L2, those of lines that had never been asked for before.", OWN) \
	ROW(L2CAP, "L2cap", "L2 misses: capacity", CLASS, CLASSES_L2, NOTHING, NULL, NULL, "miss", \
	    "Of misses of L2, those that a fully associative LRU cache of that size misses, too, without cold ones.", OWN) \
	ROW(L2CONF, "L2conf", "L2 misses: conflict", CLASS, CLASSES_L2, NOTHING, NULL, NULL, "miss", \
	    "Of misses of L2, the others: the line's set had no room for it, the cache had.", OWN) \
	ROW(L3COLD, "L3cold", "L3 misses: cold", CLASS, CLASSES_L3, NOTHING, NULL, NULL, "miss", \
	    "Of misses of L3, those of lines that had never been asked for before.", OWN) \
	ROW(L3CAP, "L3cap", "L3 misses: capacity", CLASS, CLASSES_L3, NOTHING, NULL, NULL, "miss", \
	    "Of misses of L3, those that a fully associative LRU cache of that size misses, too, without cold ones.", OWN) \
	ROW(L3CONF, "L3conf", "L3 misses: conflict", CLASS, CLASSES_L3, NOTHING, NULL, NULL, "miss", \
	    "Of misses of L3, the others: the line's set had no room for it, the cache had.", OWN) \
	ROW(LLCOLD, "LLcold", "Last-level misses: cold", CLASS, CLASSES, NOTHING, NULL, NULL, "miss", \
	    "Of misses of LL, those of lines that had never been asked for before.", OWN) \
	ROW(LLCAP, "LLcap", "Last-level misses: capacity", CLASS, CLASSES, NOTHING, NULL, NULL, "miss", \
	    "Of misses of LL, those that a fully associative LRU cache of that size misses, too, without cold ones.", OWN) \
	ROW(LLCONF, "LLconf", "Last-level misses: conflict", CLASS, CLASSES, NOTHING, NULL, NULL, "miss", \
	    "Of misses of LL, the others: the line's set had no room for it, the cache had.", OWN) \
	ROW(M64K, "M64K", "Data misses of a cache of 64 KiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 64 KiB would miss.", OWN) \
	ROW(M96K, "M96K", "Data misses of a cache of 96 KiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 96 KiB would miss.", OWN) \
	ROW(M128K, "M128K", "Data misses of a cache of 128 KiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 128 KiB would miss.", OWN) \
	ROW(M192K, "M192K", "Data misses of a cache of 192 KiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 192 KiB would miss.", OWN) \
	ROW(M256K, "M256K", "Data misses of a cache of 256 KiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 256 KiB would miss.", OWN) \
	ROW(M384K, "M384K", "Data misses of a cache of 384 KiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 384 KiB would miss.", OWN) \
	ROW(M512K, "M512K", "Data misses of a cache of 512 KiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 512 KiB would miss.", OWN) \
	ROW(M768K, "M768K", "Data misses of a cache of 768 KiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 768 KiB would miss.", OWN) \
	ROW(M1M, "M1M", "Data misses of a cache of 1 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 1 MiB would miss.", OWN) \
	ROW(M1536K, "M1536K", "Data misses of a cache of 1536 KiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 1536 KiB would miss.", OWN) \
	ROW(M2M, "M2M", "Data misses of a cache of 2 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 2 MiB would miss.", OWN) \
	ROW(M3M, "M3M", "Data misses of a cache of 3 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 3 MiB would miss.", OWN) \
	ROW(M4M, "M4M", "Data misses of a cache of 4 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 4 MiB would miss.", OWN) \
	ROW(M6M, "M6M", "Data misses of a cache of 6 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 6 MiB would miss.", OWN) \
	ROW(M8M, "M8M", "Data misses of a cache of 8 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 8 MiB would miss.", OWN) \
	ROW(M12M, "M12M", "Data misses of a cache of 12 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 12 MiB would miss.", OWN) \
	ROW(M16M, "M16M", "Data misses of a cache of 16 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 16 MiB would miss.", OWN) \
	ROW(M24M, "M24M", "Data misses of a cache of 24 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 24 MiB would miss.", OWN) \
	ROW(M32M, "M32M", "Data misses of a cache of 32 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 32 MiB would miss.", OWN) \
	ROW(M48M, "M48M", "Data misses of a cache of 48 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 48 MiB would miss.", OWN) \
	ROW(M64M, "M64M", "Data misses of a cache of 64 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 64 MiB would miss.", OWN) \
	ROW(M96M, "M96M", "Data misses of a cache of 96 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 96 MiB would miss.", OWN) \
	ROW(M128M, "M128M", "Data misses of a cache of 128 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 128 MiB would miss.", OWN) \
	ROW(M192M, "M192M", "Data misses of a cache of 192 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 192 MiB would miss.", OWN) \
	ROW(M256M, "M256M", "Data misses of a cache of 256 MiB", SIZE, CURVE, NOTHING, NULL, NULL, "miss", \
	    "Reads and writes that a fully associative LRU cache of 256 MiB would miss.", OWN) \
	ROW(DCOH, "Dcoh", "Data reads served by another core", COHERENCE, CORES, NOTHING, "Dr", NULL, "read", \
	    "Reads of lines that this core did not have, and another one had changed, or alone.", OWN) \
	ROW(DCOHW, "DcohW", "Data writes served by another core", COHERENCE, CORES, NOTHING, "Dw", NULL, "write", \
	    "Writes to lines that this core did not have, and another one had changed, or alone.", OWN) \
	ROW(DUPG, "Dupg", "Lines upgraded for a write", COHERENCE, CORES, NOTHING, NULL, NULL, "line", \
	    "Lines that this core shared with others when it wrote to them: the others lost them.", OWN) \
	ROW(DSHF, "DshF", "False sharing", COHERENCE, SHARING, NOTHING, NULL, NULL, "transfer", \
	    "Lines that moved from core to core though threads use other bytes of them.", OWN) \
	ROW(DSHT, "DshT", "True sharing", COHERENCE, SHARING, NOTHING, NULL, NULL, "transfer", \
	    "Lines that moved from core to core, and threads use the same bytes of them.", OWN)

#define EVENT_GROUPS(ROW) \
	ROW(ALWAYS, NULL) \
	ROW(CACHE, "--cache-sim") \
	ROW(L2, "--machine=host") \
	ROW(L3, "--machine=FILE") \
	ROW(DIRTY, "--write-back") \
	ROW(PREFETCH, "--prefetch") \
	ROW(BRANCH, "--branch-sim") \
	ROW(RETURNS, "--branch-model=tage") \
	ROW(BRANCH_DETAIL, "--branch-detail") \
	ROW(CYCLES, "--cycles") \
	ROW(WRITE_BACK, "--simulate-wb") \
	ROW(USE, "--cacheuse") \
	ROW(BUS, "--collect-bus") \
	ROW(FLOPS, "--collect-flops") \
	ROW(BYTES, "--collect-bytes") \
	ROW(MIX, "--mix") \
	ROW(SYSTEM, "--collect-systime") \
	ROW(SYSTEM_TIME, "--collect-systime") \
	ROW(SYSTEM_CPU, "--collect-systime=nsec") \
	ROW(SYSTEM_CALLS, "--syscall-calls") \
	ROW(ALLOC, "--collect-alloc") \
	ROW(FAULTS, "--collect-faults") \
	ROW(ARCHITECTURAL, "--counting=architectural") \
	ROW(TLB, "--tlb-sim") \
	ROW(TLB_2M, "--pages=both") \
	ROW(CLASSES, "--miss-classes") \
	ROW(CLASSES_L2, "--miss-classes") \
	ROW(CLASSES_L3, "--miss-classes") \
	ROW(CURVE, "--miss-curve=sampled") \
	ROW(CORES, "--cores=4") \
	ROW(SHARING, "--sharing=yes")

#define LEVELS(ROW) \
	ROW(D1, CACHE, I1MR, D1MR, D1MW) \
	ROW(L2, L2, L2IR, L2DR, L2DW) \
	ROW(L3, L3, L3IR, L3DR, L3DW) \
	ROW(LL, CACHE, ILMR, DLMR, DLMW)

#define DERIVED_EVENTS(ROW) \
	ROW("Drefs", "Dr + Dw", "Dr,Dw", "Data references", "reads and writes.") \
	ROW("D1m", "D1mr + D1mw", "D1mr,D1mw", "L1 data misses", \
	    "data misses of the first level.") \
	ROW("DLm", "DLmr + DLmw", "DLmr,DLmw", "Last-level data misses", \
	    "data misses of the last level.") \
	ROW("L1m", "I1mr + D1mr + D1mw", "", "L1 misses", "misses of the first level.") \
	ROW("LLm", "ILmr + DLmr + DLmw", "", "Last-level misses", "misses of the last level.") \
	ROW("L2m", "L2ir + L2dr + L2dw", "L2ir,L2dr,L2dw", "L2 misses", "misses of L2.") \
	ROW("Walks", "ISm + DSm", "ISm,DSm", "Page walks", "references for which the page table was walked.") \
	ROW("Walks2M", "ISm2M + DSm2M", "ISm2M,DSm2M", "Page walks with huge pages", \
	    "the same with transparent huge pages.") \
	ROW("D1neutral", "D1cold + D1cap + D1anti", "D1cold,D1cap,D1anti", "L1 data misses, wherever data lies", \
	    "data misses of a fully associative first level, which no placement of data in sets can move.") \
	ROW("WB", "ILdmr + DLdmr + DLdmw", "ILdmr,DLdmr,DLdmw", "Last-level write-backs", \
	    "changed lines that the last level wrote back.") \
	ROW("Branches", "Bc + Bi", "Bc,Bi", "Branches executed", \
	    "branches executed, of both kinds.") \
	ROW("Bm", "Bcm + Bim", "", "Branches mispredicted", "branches predicted wrongly.") \
	ROW("L1hit", "Ir + Dr + Dw - L1m", "Ir,I1mr", "Served by L1", \
	    "references that the first level served.") \
	ROW("L2hit", "L1m - L2m", "I1mr,L2m", "Served by L2", "references that L2 served.") \
	ROW("L3hit", "L2m - LLm", "L2m,ILmr", "Served by L3", \
	    "references that L3 (or a level below it) served.") \
	ROW("LLhit", "L1m - LLm", "I1mr,ILmr", "Served by caches below L1", \
	    "references that a cache below the first level served: LL, and L2 where that is not the last.") \
	ROW("RAMhit", "LLm", "ILmr", "Served by memory", "references that memory served.") \
	ROW(EVENT_CYCLES, EVENT_CYCLES_FORMULA, EVENT_CYCLES_NEEDS, \
	    "Cycles (tenths)", "the time that the machine takes, by a model; tenths of a cycle, which people see as cycles.")

/* Cycles of the machine, where they were counted. */
#define EVENT_CYCLES         "Cyc"
#define EVENT_CYCLES_FORMULA "CyBase + CyDep + CyFe + CyBr + CyMem + CyTlb"
#define EVENT_CYCLES_NEEDS   "CyBase,CyMem"

/*
 * ROW(id of the event, its name, term, word): its parts in the terms of top-down analysis, and in a word where there is
 * little room, "mostly core".
 */
#define CYCLE_PARTS(ROW) \
	ROW(CYBASE, "CyBase", "core bound", "core") \
	ROW(CYDEP, "CyDep", "dependencies", "dependencies") \
	ROW(CYFE, "CyFe", "front end", "front end") \
	ROW(CYBR, "CyBr", "bad speculation", "speculation") \
	ROW(CYMEM, "CyMem", "memory bound", "memory") \
	ROW(CYTLB, "CyTlb", "TLB", "TLB")

/*
 * ROW(name, in perf, in manuals): what a processor counts that an event, or a derived one, can be compared with, by
 * perf's names and by Intel's and AMD's (Zen); NULL = not there, or of another meaning.
 */
#define EVENT_COUNTERS(ROW) \
	ROW("Ir", "instructions", "INST_RETIRED.ANY; ex_ret_instr") \
	ROW("Dr", "L1-dcache-loads", "MEM_INST_RETIRED.ALL_LOADS; ls_dispatch.ld_dispatch") \
	ROW("Dw", "L1-dcache-stores", "MEM_INST_RETIRED.ALL_STORES; ls_dispatch.store_dispatch") \
	ROW("I1mr", "L1-icache-load-misses", NULL) \
	ROW("D1mr", "L1-dcache-load-misses", "MEM_LOAD_RETIRED.L1_MISS") \
	ROW("L2dr", NULL, "MEM_LOAD_RETIRED.L2_MISS") \
	ROW("DLmr", "LLC-load-misses", "MEM_LOAD_RETIRED.L3_MISS") \
	ROW("DLmw", "LLC-store-misses", NULL) \
	ROW("Bc", NULL, "BR_INST_RETIRED.COND; ex_ret_cond") \
	ROW("Bcm", NULL, "BR_MISP_RETIRED.COND") \
	ROW("Branches", "branches", "BR_INST_RETIRED.ALL_BRANCHES; ex_ret_brn: with direct jumps, calls and returns") \
	ROW("Bm", "branch-misses", "BR_MISP_RETIRED.ALL_BRANCHES; ex_ret_brn_misp") \
	ROW("DTm", "dTLB-load-misses on AMD", "ls_l1_d_tlb_miss.all") \
	ROW("DSm", "dTLB-load-misses on Intel", "DTLB_LOAD_MISSES.WALK_COMPLETED") \
	ROW("Cyc", "cycles", "CPU_CLK_UNHALTED.THREAD; ls_not_halted_cyc") \
	ROW("CyBase", NULL, "TMA: Retiring, and Core Bound (Ports Utilization)") \
	ROW("CyDep", NULL, "TMA: Core Bound") \
	ROW("CyFe", NULL, "TMA: Frontend Bound") \
	ROW("CyBr", NULL, "TMA: Bad Speculation") \
	ROW("CyMem", NULL, "TMA: Memory Bound (L2 Bound, L3 Bound, DRAM Bound)") \
	ROW("CyTlb", NULL, "TMA: Memory Bound (DTLB Load)") \
	ROW("Pg", "minor-faults", NULL) \
	ROW("sysCount", "raw_syscalls:sys_enter", NULL)

/* The same of EstCyc. */
#define EVENT_ESTIMATE "EstCyc"
#define EVENT_ESTIMATE_FORMULA \
	"L1hit + " EVENT_TEXT(EVENT_CYCLES_LL) " LLhit + " EVENT_TEXT(EVENT_CYCLES_RAM) " RAMhit"
#define EVENT_ESTIMATE_NEEDS "L1hit,LLhit"
#define EVENT_ESTIMATE_NAME "Estimated cycles"
#define EVENT_ESTIMATE_HELP "an estimate of cycles; --cycles sets the formula."

#endif
