/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helpers are known by their names, which VEX keeps in its intermediate
 * representation; those of CPUID are one for each level of processors that
 * VEX knows, and some have arguments behind the guest's state.
 */
#include "tool/deterministic/cpuinsn.h"

#include "libvex.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"

#include "tool/common/guest.h"
#include "tool/deterministic/deterministic.h"
#include "tool/deterministic/state.h"

/* By their numbers in instructions. */
enum {
	RAX,
	RCX,
	RDX,
	RBX,
};

static ULong *general(struct guest *guest, UInt number)
{
	return guest_word(guest, guest_general(number));
}

static void answer_cpuid(struct guest *guest)
{
	uint32_t registers[N_PROCESSOR_REGISTERS];

	processor_cpuid(&tool_deterministic.options.processor, (UInt)*general(guest, RAX),
			(UInt)*general(guest, RCX), registers);
	*general(guest, RAX) = registers[PROCESSOR_EAX];
	*general(guest, RBX) = registers[PROCESSOR_EBX];
	*general(guest, RCX) = registers[PROCESSOR_ECX];
	*general(guest, RDX) = registers[PROCESSOR_EDX];
}

static ULong answer_rdtsc(void)
{
	tool_deterministic.clock.n_questions++;
	return clock_counter(&tool_deterministic.clock);
}

/* RCX is the number of the CPU. */
static void answer_rdtscp(struct guest *guest)
{
	ULong time = answer_rdtsc();

	*general(guest, RAX) = (UInt)time;
	*general(guest, RDX) = time >> 32;
	*general(guest, RCX) = 0;
}

/* 32 bits; in the bit above them that they are valid. */
static ULong answer_random(void)
{
	return 1ULL << 32 |
	       (splitmix_next(&tool_deterministic.random_source.splitmix) & 0xffffffff);
}

struct insn_replacement {
	const HChar *name; /* of VEX's helper, behind helper_prefix */
	const HChar *own_name;
	void *own;
	enum deterministic_item item;
	Bool is_prefix;   /* several names begin so */
	Bool takes_state; /* the guest's state, and nothing else */
	Bool reads_totals;
};

static const HChar helper_prefix[] = "amd64g_dirtyhelper_";

static const struct insn_replacement replacements[] = {
	{ "CPUID_", "answer_cpuid", &answer_cpuid, DETERMINISTIC_CPU, True, True, False },
	{ "RDTSC", "answer_rdtsc", &answer_rdtsc, DETERMINISTIC_TSC, False, False, True },
	{ "RDTSCP", "answer_rdtscp", &answer_rdtscp, DETERMINISTIC_TSC, False, True, True },
	{ "RDRAND", "answer_random", &answer_random, DETERMINISTIC_RANDOM, False, False, False },
	{ "RDSEED", "answer_random", &answer_random, DETERMINISTIC_RANDOM, False, False, False },
};

static const struct insn_replacement *find_replacement(const IRStmt *stmt)
{
	SizeT prefix_len = sizeof(helper_prefix) - 1;
	const HChar *name;

	if (stmt->tag != Ist_Dirty)
		return NULL;
	name = stmt->Ist.Dirty.details->cee->name;
	if (VG_(strncmp)(name, helper_prefix, prefix_len) != 0)
		return NULL;
	name += prefix_len;
	for (UInt i = 0; i < sizeof(replacements) / sizeof(replacements[0]); i++) {
		const struct insn_replacement *row = &replacements[i];
		Bool matches = row->is_prefix
			? VG_(strncmp)(name, row->name, VG_(strlen)(row->name)) == 0
				       : VG_(strcmp)(name, row->name) == 0;

		if (matches)
			return deterministic_has(row->item) ? row : NULL;
	}
	return NULL;
}

Bool cpuinsn_reads_totals(const IRStmt *stmt)
{
	const struct insn_replacement *replacement = find_replacement(stmt);

	return replacement != NULL && replacement->reads_totals;
}

/* What the helper does to the guest's state stays declared as it was. */
IRStmt *cpuinsn_replace(IRStmt *stmt)
{
	const struct insn_replacement *replacement = find_replacement(stmt);
	IRDirty *call;

	if (replacement == NULL)
		return stmt;
	call = emptyIRDirty();
	*call = *stmt->Ist.Dirty.details;
	call->cee = mkIRCallee(replacement->takes_state ? 1 : 0, replacement->own_name,
			       VG_(fnptr_to_fnentry)(replacement->own));
	call->args = replacement->takes_state ? mkIRExprVec_1(IRExpr_GSPTR()) : mkIRExprVec_0();
	return IRStmt_Dirty(call);
}

const HChar *cpuinsn_missing(const struct processor *processor)
{
	static const struct {
		UInt hwcap;
		uint32_t need;
	} rows[] = {
		{ VEX_HWCAPS_AMD64_SSE3, PROCESSOR_NEEDS_SSE3 },
		{ VEX_HWCAPS_AMD64_SSSE3, PROCESSOR_NEEDS_SSSE3 },
		{ VEX_HWCAPS_AMD64_CX16, PROCESSOR_NEEDS_CX16 },
		{ VEX_HWCAPS_AMD64_AVX, PROCESSOR_NEEDS_AVX },
		{ VEX_HWCAPS_AMD64_AVX2, PROCESSOR_NEEDS_AVX2 },
		{ VEX_HWCAPS_AMD64_BMI, PROCESSOR_NEEDS_BMI },
		{ VEX_HWCAPS_AMD64_LZCNT, PROCESSOR_NEEDS_LZCNT },
		{ VEX_HWCAPS_AMD64_F16C, PROCESSOR_NEEDS_F16C },
		{ VEX_HWCAPS_AMD64_RDRAND, PROCESSOR_NEEDS_RDRAND },
		{ VEX_HWCAPS_AMD64_RDSEED, PROCESSOR_NEEDS_RDSEED },
		{ VEX_HWCAPS_AMD64_RDTSCP, PROCESSOR_NEEDS_RDTSCP },
	};
	VexArch arch;
	VexArchInfo machine;
	uint32_t has = 0;

	VG_(machine_get_VexArchInfo)(&arch, &machine);
	for (UInt i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if ((machine.hwcaps & rows[i].hwcap) != 0)
			has |= rows[i].need;
	return processor_missing(processor, has);
}
