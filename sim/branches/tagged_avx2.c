/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tagged_probe_plain() with AVX2.  Nothing else is in this file, and nothing inline of other headers is called: the compiler may
 * use AVX2 for all of it, which not every processor has.
 */
#include "sim/branches/tagged.h"

#if defined(__x86_64__)

# include <immintrin.h>

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
	/* Words that were just stored are not loaded as a vector, which would have to wait for them. */
	sums[1] = _mm256_set_epi64x((long long)history->folds[2], (long long)history->folds[1],
				    (long long)history->folds[0],
				    (long long)(older & tagged->masks[TAGGED_SHORT - 1]));
	for (unsigned i = 0; i < 2; i++) {
		const __m256i of_high = _mm256_mul_epu32(_mm256_srli_epi64(sums[i], 32), high);

		sums[i] = _mm256_add_epi64(_mm256_mul_epu32(sums[i], low), of_high);
		sums[i] = _mm256_add_epi64(sums[i], _mm256_loadu_si256(&offsets[i]));
		sums[i] = _mm256_xor_si256(sums[i], _mm256_srli_epi64(sums[i], 32));
	}

	/* The lower halves of all eight, in their order. */
	hashes = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(sums[0]),
						       _mm256_castsi256_ps(sums[1]), 0x88));
	hashes = _mm256_permute4x64_epi64(hashes, 0xD8);
	hashes = _mm256_xor_si256(hashes, _mm256_set1_epi32((int)mixed));
	_mm256_storeu_si256((void *)probe->hashes, hashes);

	/* No line of the host's cache is fetched for a table that is not asked; these have tag 0, as empty entries. */
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
