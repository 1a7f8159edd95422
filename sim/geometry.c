/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cache is size = sets * associativity * line size.  Cachegrind picks a
 * set by masking, so its sets must be a power of two; associativity need not be,
 * and so neither need size.
 */
#include "sim/geometry.h"

/* Largest power of two that is at most number; number is not 0. */
static uint64_t floor_power_of_two(uint64_t number)
{
	uint64_t power = 1;

	while (power <= number / 2)
		power *= 2;
	return power;
}

static bool is_power_of_two(uint64_t number)
{
	return number != 0 && (number & (number - 1)) == 0;
}

/* Bytes of one set. */
static uint64_t set_size(const struct cache_geometry *geometry)
{
	return (uint64_t)geometry->assoc * geometry->line_size;
}

/*
 * Reads digits and, after them, the one byte that must end them.  A number
 * above max becomes max + 1.  Returns what follows, NULL if it is no number.
 */
static const char *parse_number(const char *text, char end, uint64_t max, uint64_t *number)
{
	const char *digits = text;

	*number = 0;
	for (; *text >= '0' && *text <= '9'; text++) {
		uint64_t digit = (uint64_t)(*text - '0');

		if (*number > max / 10 || *number * 10 > max - digit)
			*number = max + 1;
		else
			*number = *number * 10 + digit;
	}
	if (text == digits || *text != end)
		return NULL;
	return text + 1;
}

enum geometry_status geometry_parse(const char *text, struct cache_geometry *geometry)
{
	uint64_t size, assoc, line_size;

	text = parse_number(text, ',', GEOMETRY_MAX_SIZE, &size);
	if (text)
		text = parse_number(text, ',', GEOMETRY_MAX_WAYS, &assoc);
	if (text)
		text = parse_number(text, '\0', GEOMETRY_MAX_LINE_SIZE, &line_size);
	if (!text)
		return GEOMETRY_SYNTAX;
	if (size > GEOMETRY_MAX_SIZE || assoc > GEOMETRY_MAX_WAYS ||
	    line_size > GEOMETRY_MAX_LINE_SIZE)
		return GEOMETRY_OVERFLOW;
	geometry->size = size;
	geometry->assoc = (uint32_t)assoc;
	geometry->line_size = (uint32_t)line_size;
	return GEOMETRY_OK;
}

enum geometry_status geometry_check_any_sets(const struct cache_geometry *geometry)
{
	if (geometry->size > GEOMETRY_MAX_SIZE || geometry->assoc > GEOMETRY_MAX_WAYS ||
	    geometry->line_size > GEOMETRY_MAX_LINE_SIZE)
		return GEOMETRY_OVERFLOW;
	if (geometry->size == 0)
		return GEOMETRY_ZERO_SIZE;
	if (geometry->assoc == 0)
		return GEOMETRY_ZERO_ASSOC;
	if (geometry->line_size == 0)
		return GEOMETRY_ZERO_LINE_SIZE;
	if (!is_power_of_two(geometry->line_size))
		return GEOMETRY_LINE_NOT_POWER_OF_TWO;
	if (geometry->line_size < GEOMETRY_MIN_LINE_SIZE)
		return GEOMETRY_LINE_TOO_SMALL;
	if (geometry->size <= geometry->line_size)
		return GEOMETRY_SIZE_NOT_ABOVE_LINE;
	if (geometry->assoc > geometry->size / geometry->line_size)
		return GEOMETRY_ASSOC_TOO_LARGE;
	if (geometry->size % set_size(geometry) != 0)
		return GEOMETRY_SETS_NOT_WHOLE;
	return GEOMETRY_OK;
}

enum geometry_status geometry_check(const struct cache_geometry *geometry)
{
	enum geometry_status status = geometry_check_any_sets(geometry);

	if (status == GEOMETRY_OK && !is_power_of_two(geometry->size / set_size(geometry)))
		return GEOMETRY_SETS_NOT_POWER_OF_TWO;
	return status;
}

uint64_t geometry_sets(const struct cache_geometry *geometry)
{
	return geometry->size / set_size(geometry);
}

bool geometry_round_sets(struct cache_geometry *geometry)
{
	struct cache_geometry old = *geometry;

	if (geometry_check(geometry) == GEOMETRY_OVERFLOW || set_size(geometry) == 0)
		return false;

	uint64_t sets = geometry->size / set_size(geometry);

	if (sets == 0)
		return false;

	uint64_t new_sets = floor_power_of_two(sets);

	/* sets / new_sets < 2, so the associativity still fits in 32 bits, and the size in 63. */
	geometry->assoc = (uint32_t)((geometry->assoc * sets + new_sets / 2) / new_sets);
	geometry->size = set_size(geometry) * new_sets;
	return geometry->assoc != old.assoc || geometry->size != old.size;
}

/* A line of text that grows at its end. */
struct geometry_message {
	char *text;    /* GEOMETRY_MESSAGE_SIZE bytes, always NUL-terminated */
	size_t length; /* without the NUL */
};

static void put_char(struct geometry_message *message, char c)
{
	if (message->length + 1 >= GEOMETRY_MESSAGE_SIZE)
		return;
	message->text[message->length++] = c;
	message->text[message->length] = '\0';
}

static void put_number(struct geometry_message *message, uint64_t number)
{
	char digits[20]; /* of 2^64 - 1 */
	size_t count = 0;

	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number != 0);
	while (count > 0)
		put_char(message, digits[--count]);
}

/* Appends the text, with the next one of numbers for each `%`. */
static void say(struct geometry_message *message, const char *text, const uint64_t *numbers)
{
	for (; *text; text++) {
		if (*text == '%')
			put_number(message, *numbers++);
		else
			put_char(message, *text);
	}
}

/* The legal numbers on both sides of an illegal one; 0 if there is none on that side. */
struct neighbours {
	uint64_t below, above;
};

static struct neighbours nearest_line_sizes(const struct cache_geometry *geometry,
					    uint32_t min_line_size)
{
	uint64_t below = floor_power_of_two(geometry->line_size);
	uint64_t above = below * 2;

	if (below < min_line_size) {
		below = 0;
		above = min_line_size;
	}
	return (struct neighbours){ below, above <= GEOMETRY_MAX_LINE_SIZE ? above : 0 };
}

/* Sizes that are legal with this associativity and line size (itself legal). */
static struct neighbours nearest_sizes(const struct cache_geometry *geometry)
{
	uint64_t line_size = geometry->line_size;
	uint64_t smallest = geometry->assoc > 1 ? set_size(geometry) : 2 * line_size;
	uint64_t above = smallest;

	while (above <= geometry->size)
		above *= 2;
	return (struct neighbours){ above > smallest ? above / 2 : 0,
				    above <= GEOMETRY_MAX_SIZE ? above : 0 };
}

/*
 * Associativities that are legal with this size and line size: the number of
 * lines, and that halved as often as it goes.  Nobody would want more than
 * twice what was asked for, so that is left out.
 */
static struct neighbours nearest_assocs(const struct cache_geometry *geometry)
{
	uint64_t below = geometry->size / geometry->line_size;
	uint64_t above = 0;

	if (geometry->size <= geometry->line_size || geometry->size % geometry->line_size != 0)
		return (struct neighbours){ 0, 0 };
	while (below > geometry->assoc && below % 2 == 0) {
		above = below;
		below /= 2;
	}
	if (below > geometry->assoc) {
		above = below;
		below = 0;
	}
	if (above > GEOMETRY_MAX_WAYS || above > 2 * (uint64_t)geometry->assoc)
		above = 0;
	return (struct neighbours){ below, above };
}

static void say_neighbours(struct geometry_message *message, const char *what,
			   struct neighbours number)
{
	uint64_t numbers[2] = { number.below ? number.below : number.above, number.above };

	if (!number.below && !number.above)
		return;
	say(message, what, NULL);
	say(message, number.below && number.above ? " % or %" : " %", numbers);
}

/* For a legal line size; at least one of the sizes and associativities exists. */
static void say_nearest(struct geometry_message *message, const struct cache_geometry *geometry)
{
	struct neighbours sizes = nearest_sizes(geometry);
	struct neighbours assocs = nearest_assocs(geometry);

	say(message, "; nearest legal: ", NULL);
	say_neighbours(message, "size", sizes);
	if ((sizes.below || sizes.above) && (assocs.below || assocs.above))
		say(message, ", or ", NULL);
	say_neighbours(message, "associativity", assocs);
}

void geometry_explain(enum geometry_status status, const struct cache_geometry *geometry,
		      uint32_t min_line_size, char *text)
{
	struct geometry_message message = { text, 0 };

	text[0] = '\0';
	if (status == GEOMETRY_SYNTAX) {
		say(&message,
		    "must be <size>,<associativity>,<line size>, three decimal numbers, "
		    "for example 32768,8,64",
		    NULL);
		return;
	}
	if (status == GEOMETRY_OVERFLOW) {
		say(&message,
		    "a number is too large: size may be at most %, associativity %, line size %",
		    (const uint64_t[]){ GEOMETRY_MAX_SIZE, GEOMETRY_MAX_WAYS,
					floor_power_of_two(GEOMETRY_MAX_LINE_SIZE) });
		return;
	}
	if (status != geometry_check(geometry))
		return;

	uint64_t size = geometry->size, assoc = geometry->assoc, line_size = geometry->line_size;

	switch (status) {
	case GEOMETRY_OK:
	case GEOMETRY_SYNTAX:
	case GEOMETRY_OVERFLOW:
		break;
	case GEOMETRY_ZERO_SIZE:
		say(&message,
		    "size is 0: must be associativity * line size times a power of two, "
		    "for example 32768 for 8 and 64",
		    NULL);
		break;
	case GEOMETRY_ZERO_ASSOC:
		say(&message,
		    "associativity is 0: must be 1 (direct-mapped) or more, for example 8", NULL);
		break;
	case GEOMETRY_ZERO_LINE_SIZE:
		say(&message, "line size is 0: must be a power of two from % on, for example 64",
		    (const uint64_t[]){ min_line_size });
		break;
	case GEOMETRY_LINE_NOT_POWER_OF_TWO:
		say(&message, "line size % is no power of two; nearest legal: ", &line_size);
		say_neighbours(&message, "line size", nearest_line_sizes(geometry, min_line_size));
		break;
	case GEOMETRY_LINE_TOO_SMALL:
		say(&message, "line size % is too small: must be at least %",
		    (const uint64_t[]){ line_size, min_line_size });
		break;
	case GEOMETRY_SIZE_NOT_ABOVE_LINE:
		say(&message, "size % is not above line size %",
		    (const uint64_t[]){ size, line_size });
		say_nearest(&message, geometry);
		break;
	case GEOMETRY_ASSOC_TOO_LARGE:
		say(&message,
		    "associativity % is above the number of lines, % (size % / line size %)",
		    (const uint64_t[]){ assoc, size / line_size, size, line_size });
		say_nearest(&message, geometry);
		break;
	case GEOMETRY_SETS_NOT_WHOLE:
		say(&message, "size % is no multiple of associativity % * line size % = %",
		    (const uint64_t[]){ size, assoc, line_size, assoc * line_size });
		say_nearest(&message, geometry);
		break;
	case GEOMETRY_SETS_NOT_POWER_OF_TWO:
		say(&message,
		    "the number of sets, % (size % / associativity % / line size %), "
		    "is no power of two",
		    (const uint64_t[]){ geometry_sets(geometry), size, assoc, line_size });
		say_nearest(&message, geometry);
		break;
	}
}

/* --- sets ------------------------------------------------------------------------------ */

/* 2 to the exponent, divided by a divisor below 2 to the 63, rounded up; by hand, since there is no library. */
static uint64_t power_over(uint32_t exponent, uint64_t divisor)
{
	uint64_t quotient = 0, rest = 1;

	/* Digit by digit of the power: all but the first are 0. */
	for (uint32_t i = 0; i < exponent; i++) {
		rest *= 2;
		quotient *= 2;
		if (rest >= divisor) {
			rest -= divisor;
			quotient++;
		}
	}
	return quotient + (rest != 0);
}

void sets_init(struct sets *sets, uint64_t n, bool is_hashed, uint32_t seed)
{
	*sets = (struct sets){
		.n = n,
		.key = (seed + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15),
		.is_hashed = is_hashed,
	};
	while (UINT64_C(1) << sets->bits < n)
		sets->bits++;
	if (UINT64_C(1) << sets->bits != n)
		sets->reciprocal = power_over(SETS_LINE_BITS + sets->bits, n);
}
