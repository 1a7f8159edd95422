/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/branches/tagged.h"

#include "sim/cpuid.h"

enum {
	ALTERNATIVE_MIN = -8,
	ALTERNATIVE_MAX = 7,
};

void tagged_init(struct tagged *tagged, const struct tagged_size *size,
		 struct tagged_entry *entries)
{
	*tagged = (struct tagged){
		.size = size,
		.probe = tagged_has_avx2() ? tagged_probe_avx2 : tagged_probe_plain,
		.entries = entries,
		.entry_mask = (UINT32_C(1) << size->log2_entries) - 1,
		.tag_shift = 32 - size->tag_bits,
		.random = 1,
	};
	for (unsigned i = 0; i < TAGGED_TABLES; i++) {
		tagged->offsets[i] = (i + 1) * TAGGED_TABLE;
		tagged->bases[i] = i << size->log2_entries;
		if (i < TAGGED_SHORT && size->lengths[i] != 0)
			tagged->masks[i] = UINT64_MAX >> (64 - size->lengths[i]);
	}
}

void tagged_probe_plain(const struct tagged *tagged, const struct branch_history *history,
			uint64_t key, uint32_t made, struct tagged_probe *probe)
{
	const uint32_t mixed = (uint32_t)(key >> 16) ^
			       history_newest(history) * (uint32_t)TAGGED_LOW;

	probe->found = 0;
	for (unsigned i = 0; i < TAGGED_TABLES; i++) {
		const uint64_t bits = i < TAGGED_SHORT ? history->older & tagged->masks[i]
						       : history->folds[i - TAGGED_SHORT];
		const uint64_t sum = (bits & UINT32_MAX) * TAGGED_LOW + (bits >> 32) * TAGGED_HIGH +
				     tagged->offsets[i];
		uint32_t hash;

		hash = (uint32_t)(sum ^ sum >> 32) ^ mixed;
		probe->hashes[i] = hash;
		if ((made >> i & 1) != 0 &&
		    tagged_at(tagged, i, hash)->tag == tagged_tag(tagged, hash))
			probe->found |= UINT32_C(1) << i;
	}
}

/* The instructions are there, and the kernel keeps the registers (Intel SDM, volume 1, 14.3 and 14.7.1). */
bool tagged_has_avx2(void)
{
#if defined(__x86_64__)
	enum { OSXSAVE = 1 << 27, AVX = 1 << 28, AVX2 = 1 << 5, XMM_AND_YMM = 6 };
	uint32_t registers[N_PROCESSOR_REGISTERS], low, high;

	cpuid_ask(NULL, 0, 0, registers);
	if (registers[PROCESSOR_EAX] < 7)
		return false;
	cpuid_ask(NULL, 1, 0, registers);
	if ((registers[PROCESSOR_ECX] & OSXSAVE) == 0 || (registers[PROCESSOR_ECX] & AVX) == 0)
		return false;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	if ((low & XMM_AND_YMM) != XMM_AND_YMM)
		return false;
	cpuid_ask(NULL, 7, 0, registers);
	return (registers[PROCESSOR_EBX] & AVX2) != 0;
#else
	return false;
#endif
}

static bool flip_coin(struct tagged *tagged)
{
	tagged->random ^= tagged->random << 13;
	tagged->random ^= tagged->random >> 17;
	tagged->random ^= tagged->random << 5;
	return tagged->random & 1;
}

static void halve_useful(struct tagged *tagged)
{
	for (size_t i = 0; i < tagged_count(tagged->size); i++)
		tagged->entries[i].useful /= 2;
	tagged->tick = 0;
}

struct tagged_entry *tagged_make(struct tagged *tagged, const struct tagged_probe *probe,
				 unsigned first, uint8_t counter, uint8_t *made)
{
	if (flip_coin(tagged) && first + 1 < TAGGED_TABLES)
		first++;
	for (unsigned table = first; table < TAGGED_TABLES; table++) {
		const uint32_t hash = probe->hashes[table];
		struct tagged_entry *entry = tagged_at(tagged, table, hash);

		if (entry->useful == 0) {
			*entry = (struct tagged_entry){ .tag = tagged_tag(tagged, hash),
							.counter = counter };
			*made |= (uint8_t)(1U << table);
			if (tagged->tick > 0)
				tagged->tick--;
			return entry;
		}
		tagged->tick++;
	}
	if (tagged->tick >= tagged->size->ticks)
		halve_useful(tagged);
	return NULL;
}

void tagged_learn_use(struct tagged *tagged, struct tagged_entry *provider, bool was_new,
		      bool was_right, bool cell_right)
{
	if (was_right && provider->useful < TAGGED_MAX_USEFUL)
		provider->useful++;
	else if (!was_right && provider->useful > 0)
		provider->useful--;
	if (!was_new)
		return;
	if (was_right && tagged->alternative > ALTERNATIVE_MIN)
		tagged->alternative--;
	else if (cell_right && tagged->alternative < ALTERNATIVE_MAX)
		tagged->alternative++;
}
