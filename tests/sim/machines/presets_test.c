/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data/machines: each is a machine of its file's name, and each line has its source. */
#include "sim/machines/machinefile.h"

#include "tests/common/check.h"

static struct machinefile file;

static bool parse(const struct embedded_text *preset)
{
	struct machinefile_error error;

	if (machinefile_parse(&file, preset->text, preset->len, &error))
		return true;
	char message[MACHINEFILE_MESSAGE_SIZE];

	machinefile_explain(&error, preset->text, message, sizeof(message));
	printf("# %s.machine:%" PRIu32 ":%" PRIu32 ": %s\n", preset->name, error.line, error.column,
	       message);
	return check_true(false, "it is a machine", __FILE__, __LINE__);
}

TEST(all_are_machines_of_their_names)
{
	for (size_t i = 0; i < n_machine_presets; i++) {
		const struct embedded_text *preset = &machine_presets[i];

		if (!parse(preset))
			continue;
		CHECK_STR(file.name, preset->name);
		CHECK(file.description.len > 0);
		CHECK(machine_preset_find(preset->name) == preset);
		CHECK(i == 0 || strcmp(machine_presets[i - 1].name, preset->name) < 0);
	}
	CHECK(machine_preset_find("zen") == NULL);
	CHECK(machine_preset_find("zen55") == NULL);
	CHECK(machine_preset_find("") == NULL);
}

TEST(each_line_has_a_source)
{
	for (size_t i = 0; i < n_machine_presets; i++) {
		if (!parse(&machine_presets[i]))
			continue;
		for (size_t k = 0; k < file.n_items; k++)
			if (!CHECK(file.items[k].source.len > 0))
				printf("# of %s, line %" PRIu32 "\n", file.name,
				       file.items[k].line);
	}
}

/* All that have caches of their own have TLBs that can be simulated. */
TEST(tlbs_are_legal)
{
	for (size_t i = 0; i < n_machine_presets; i++) {
		struct tlbs_config tlbs;

		if (!parse(&machine_presets[i]))
			continue;
		CHECK(machinefile_tlbs(&file, &tlbs) ==
		      (machinefile_find(&file, MACHINE_CACHES) == NULL));
		CHECK_STR(tlbs_misfit(&tlbs), NULL);
		if (strcmp(file.name, "skylake") != 0)
			continue;
		CHECK_EQ_U64(tlbs.arrays[TLB_ITLB][1].entries, 8);
		CHECK_EQ_U64(tlbs.arrays[TLB_ITLB][1].pages, 1 << TLB_2M);
		CHECK_EQ_U64(tlbs.arrays[TLB_STLB][0].ways, 12);
		CHECK_EQ_U64(tlbs.arrays[TLB_STLB][0].pages, 1 << TLB_4K | 1 << TLB_2M);
	}
}

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

/* The promised ones; generic is never changed, and claims nothing about any processor. */
TEST(the_promised_ones_are_there)
{
	static const char *const names[] = { "cachegrind", "generic", "skylake",
					     "skylake-sp", "icelake", "sapphirerapids",
					     "goldencove", "zen2",    "zen3",
					     "zen4",       "zen5",    "neoverse-n1" };
	const struct embedded_text *generic = machine_preset_find("generic");
	struct cache_config l2, l3;
	struct policy policies[2];
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!CHECK(machine_preset_find(names[i]) != NULL))
			printf("# %s\n", names[i]);
	if (generic == NULL || !parse(generic))
		return;
	CHECK(!machinefile_assumes(&file));
	CHECK(machinefile_cache(&file, MACHINE_L2, &policies[0], &l2) &&
	      machinefile_cache(&file, MACHINE_L3, &policies[1], &l3));
	CHECK(policy_is_lru(l2.policy) && policy_is_lru(l3.policy));
	/* Keywords and fields as they are written, without blanks and comments. */
	for (size_t k = 0; k < file.n_items; k++) {
		const struct machinefile_item *item = &file.items[k];
		const char *keyword = machinefile_rows[item->kind].keyword;

		hash = hash_bytes(hash, keyword, strlen(keyword));
		for (unsigned f = 0; f < MACHINEFILE_MAX_FIELDS; f++)
			if ((item->given >> f & 1) != 0)
				hash = hash_bytes(hash, file.text + item->words[f].offset,
						  item->words[f].len);
	}
	CHECK_EQ_U64(hash, UINT64_C(0xee2fb84462bddb71));
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(all_are_machines_of_their_names),
		CHECK_TEST(each_line_has_a_source),
		CHECK_TEST(tlbs_are_legal),
		CHECK_TEST(the_promised_ones_are_there),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
