/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tagged_probe_plain() with AVX2.  Nothing else is in this file, and nothing inline of other headers is called: the compiler may
 * use AVX2 for all of it, which not every processor has.
 */
#include "sim/branches/tagged.h"

#if defined(__x86_64__)

# include <immintrin.h>

/* The four tables from table first on; last: their last words. */
# define SUMS(first, last, prefix)                                                        \
  _mm256_add_epi64(_mm256_add_epi64(_mm256_mul_epu32(last, low),                          \
				    _mm256_mul_epu32(_mm256_srli_epi64(last, 32), high)), \
		   _mm256_add_epi64(prefix, LOAD(&tagged->offsets[first])))

/* Of sums and more, the upper halves or the lower ones. */
# define HALVES(which) \
  _mm256_castps_si256( \
	  _mm256_shuffle_ps(_mm256_castsi256_ps(sums), _mm256_castsi256_ps(more), which))

# define LOAD(from) _mm256_loadu_si256((const void *)(from))

/* What of an array each of the last four tables has at the place of its word. */
# define OF_WORDS(from)                                                       \
  _mm256_set_epi64x((long long)(from)[words[7]], (long long)(from)[words[6]], \
		    (long long)(from)[words[5]], (long long)(from)[words[4]])

__attribute__((target("avx2"))) void tagged_probe_avx2(const struct tagged *tagged,
						       const struct branch_history *history,
						       uint64_t key, uint32_t made,
						       struct tagged_probe *probe)
{
	const uint8_t *words = tagged->words;
	const uint32_t newest = (uint32_t)history->recent &
				((UINT32_C(1) << history->n_newest) - 1);
	const uint32_t mixed = (uint32_t)(key >> 16) ^ newest * (uint32_t)TAGGED_LOW;
	const __m256i low = _mm256_set1_epi64x((long long)TAGGED_LOW);
	const __m256i high = _mm256_set1_epi64x((long long)TAGGED_HIGH);
	uint64_t prefix[HISTORY_WORDS];
	uint64_t sum = 0;
	__m256i last, sums, more, hashes, asked, found;

	for (unsigned i = 0; i < words[TAGGED_TABLES - 1]; i++) {
		prefix[i] = sum;
		sum += history->words[i] * ((2 * i + 1) * TAGGED_GOLDEN);
	}
	prefix[words[TAGGED_TABLES - 1]] = sum;

	last = _mm256_and_si256(_mm256_set1_epi64x((long long)history->words[0]),
				LOAD(&tagged->masks[0]));
	sums = SUMS(0, last, _mm256_setzero_si256());
	last = _mm256_and_si256(OF_WORDS(history->words), LOAD(&tagged->masks[4]));
	more = SUMS(4, last, OF_WORDS(prefix));

	/* Both halves of all eight, then these in their order. */
	hashes = _mm256_xor_si256(HALVES(0xDD), HALVES(0x88));
	hashes = _mm256_permute4x64_epi64(hashes, 0xD8);
	hashes = _mm256_xor_si256(hashes, _mm256_set1_epi32((int)mixed));
	_mm256_storeu_si256((void *)probe->hashes, hashes);

	/* No line of the host's cache is fetched for a table that is not asked; these have tag 0, as empty entries. */
	asked = _mm256_set1_epi32((int)made);
	asked = _mm256_sllv_epi32(asked, _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24));
	found = _mm256_and_si256(hashes, _mm256_set1_epi32((int)tagged->entry_mask));
	found = _mm256_add_epi32(found, LOAD(tagged->bases));
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
