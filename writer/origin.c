/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SipHash as in Aumasson and Bernstein, "SipHash: a fast short-input PRF", with their output of 128 bits. */
#include "writer/origin.h"

/* The second one is another number after each boot: of containers, which often lack the first. */
const char *const origin_files[N_ORIGIN_FILES] = {
	"/etc/machine-id",
	"/proc/sys/kernel/random/boot_id",
};

struct siphash {
	uint64_t v[4];
	uint64_t word; /* bytes that are not mixed yet */
	uint64_t len;  /* of all bytes */
};

static uint64_t rotate(uint64_t word, unsigned bits)
{
	return word << bits | word >> (64 - bits);
}

static void mix(uint64_t v[4], unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++) {
		v[0] += v[1];
		v[2] += v[3];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] = rotate(v[0], 32);
		v[2] += v[1];
		v[0] += v[3];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] = rotate(v[2], 32);
	}
}

static void add_word(struct siphash *hash, uint64_t word)
{
	hash->v[3] ^= word;
	mix(hash->v, 2);
	hash->v[0] ^= word;
}

static void add_byte(struct siphash *hash, unsigned char byte)
{
	hash->word |= (uint64_t)byte << 8 * (hash->len % 8);
	if (++hash->len % 8 == 0) {
		add_word(hash, hash->word);
		hash->word = 0;
	}
}

/* With its NUL, so that two texts are not another two. */
static void add_text(struct siphash *hash, const char *text)
{
	do
		add_byte(hash, (unsigned char)*text);
	while (*text++ != '\0');
}

static uint64_t word_of(const unsigned char *bytes)
{
	uint64_t word = 0;

	for (unsigned i = 0; i < 8; i++)
		word |= (uint64_t)bytes[i] << 8 * i;
	return word;
}

static void begin(struct siphash *hash, const unsigned char key[ORIGIN_KEY])
{
	uint64_t low = word_of(key), high = word_of(key + 8);

	*hash = (struct siphash){ .v = {
					  low ^ 0x736f6d6570736575,
					  high ^ 0x646f72616e646f6d ^ 0xee,
					  low ^ 0x6c7967656e657261,
					  high ^ 0x7465646279746573,
				  } };
}

/* Half of the result; the other half comes after more mixing. */
static uint64_t finish(struct siphash *hash, unsigned char mark, unsigned place)
{
	hash->v[place] ^= mark;
	mix(hash->v, 4);
	return hash->v[0] ^ hash->v[1] ^ hash->v[2] ^ hash->v[3];
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool origin_key(const char *text, size_t len, unsigned char key[ORIGIN_KEY])
{
	size_t n = 0;
	unsigned any = 0;

	for (size_t i = 0; i < len && n < ORIGIN_DIGITS; i++) {
		int digit = digit_of(text[i]);

		if (text[i] == '-')
			continue;
		if (digit < 0)
			return false;
		key[n / 2] = (unsigned char)(n % 2 ? key[n / 2] | digit : digit << 4);
		any |= (unsigned)digit;
		n++;
	}
	/* Only zeros are no number of a machine's. */
	return n == ORIGIN_DIGITS && any != 0;
}

void origin_seal(const unsigned char key[ORIGIN_KEY], uint64_t user, const char *folder,
		 const char *program, char seal[ORIGIN_SEAL])
{
	static const char digits[] = "0123456789abcdef";
	struct siphash hash;
	uint64_t halves[2];

	begin(&hash, key);
	for (unsigned i = 0; i < 8; i++)
		add_byte(&hash, (unsigned char)(user >> 8 * i));
	add_text(&hash, folder);
	add_text(&hash, program);
	add_word(&hash, hash.word | hash.len << 56);
	halves[0] = finish(&hash, 0xee, 2);
	halves[1] = finish(&hash, 0xdd, 1);
	for (unsigned i = 0; i < ORIGIN_DIGITS; i++) {
		unsigned byte = (unsigned)(halves[i / 16] >> 8 * (i % 16 / 2)) & 0xff;

		seal[i] = digits[i % 2 ? byte & 15 : byte >> 4];
	}
	seal[ORIGIN_DIGITS] = '\0';
}
