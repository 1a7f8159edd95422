/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/branches/tagged.h"

#include "sim/cpuid.h"

#if defined(__x86_64__)
# include <immintrin.h>
#endif

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

#if defined(__x86_64__)

static const int shifts[] = { 31, 30, 29, 28, 27, 26, 25, 24 };

__attribute__((target("avx2"))) void tagged_probe_avx2(const struct tagged *tagged,
						       const struct branch_history *history,
						       uint64_t key, uint32_t made,
						       struct tagged_probe *probe)
{
	const uint32_t newest = (uint32_t)history->recent & history->newest_mask;
	const uint32_t mixed = (uint32_t)(key >> 16) ^ newest * (uint32_t)TAGGED_LOW;
	const __m256i low = _mm256_set1_epi64x((long long)TAGGED_LOW);
	const __m256i high = _mm256_set1_epi64x((long long)TAGGED_HIGH);
	const __m256i *offsets = (const void *)tagged->offsets;
	const uint64_t older = history->older;
	__m256i sums[2], asked, found, hashes;

	sums[0] = _mm256_and_si256(_mm256_set1_epi64x((long long)older),
				   _mm256_loadu_si256((const void *)tagged->masks));
	/* Loading words that were just stored as one vector would stall: stores of parts are not forwarded. */
	sums[1] = _mm256_set_epi64x((long long)history->folds[2], (long long)history->folds[1],
				    (long long)history->folds[0],
				    (long long)(older & tagged->masks[TAGGED_SHORT - 1]));
	for (unsigned i = 0; i < 2; i++) {
		const __m256i of_high = _mm256_mul_epu32(_mm256_srli_epi64(sums[i], 32), high);

		sums[i] = _mm256_add_epi64(_mm256_mul_epu32(sums[i], low), of_high);
		sums[i] = _mm256_add_epi64(sums[i], _mm256_loadu_si256(&offsets[i]));
		sums[i] = _mm256_xor_si256(sums[i], _mm256_srli_epi64(sums[i], 32));
	}

	/* The lower halves of all eight, in order. */
	hashes = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(sums[0]),
						       _mm256_castsi256_ps(sums[1]), 0x88));
	hashes = _mm256_permute4x64_epi64(hashes, 0xD8);
	hashes = _mm256_xor_si256(hashes, _mm256_set1_epi32((int)mixed));
	_mm256_storeu_si256((void *)probe->hashes, hashes);

	/* Tables that are not asked cost no access to memory; they count as empty entries, with tag 0. */
	asked = _mm256_sllv_epi32(_mm256_set1_epi32((int)made),
				  _mm256_loadu_si256((const void *)shifts));
	found = _mm256_and_si256(hashes, _mm256_set1_epi32((int)tagged->entry_mask));
	found = _mm256_add_epi32(found, _mm256_loadu_si256((const void *)tagged->bases));
	found = _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), (const void *)tagged->entries,
					    found, asked, 4);
	found = _mm256_and_si256(found, _mm256_set1_epi32(UINT16_MAX));
	hashes = _mm256_srl_epi32(hashes, _mm_cvtsi32_si128((int)tagged->tag_shift));
	hashes = _mm256_add_epi32(hashes, _mm256_set1_epi32(1));
	found = _mm256_cmpeq_epi32(found, hashes);
	probe->found = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(found));
}

#else

void tagged_probe_avx2(const struct tagged *tagged, const struct branch_history *history,
		       uint64_t key, uint32_t made, struct tagged_probe *probe)
{
	tagged_probe_plain(tagged, history, key, made, probe);
}

#endif

/* True if the processor has the instructions, and the kernel saves the registers (Intel SDM, volume 1, 14.3 and 14.7.1). */
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
