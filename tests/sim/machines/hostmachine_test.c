/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim/machines/hostmachine: the machines of recorded processors, and where each number comes from. */
#include "sim/machines/hostmachine.h"

#include "sim/machines/machinefile.h"
#include "sim/machines/phrase.h"
#include "tests/common/check.h"
#include "tests/sim/machines/cpuid_tables.h"

static struct machinefile base, file;
static struct hostmachine host;

static bool parse(struct machinefile *into, const char *text, size_t len)
{
	struct machinefile_error error;
	char message[MACHINEFILE_MESSAGE_SIZE];

	if (machinefile_parse(into, text, len, &error))
		return true;
	machinefile_explain(&error, text, message, sizeof(message));
	printf("# %" PRIu32 ":%" PRIu32 ": %s, in:\n# %s\n", error.line, error.column, message,
	       text);
	return check_true(false, "it is a machine", __FILE__, __LINE__);
}

/* Writes and reads the machine of a processor with these caches. */
static bool write_machine(const struct processor_identity *identity,
			  const struct hostcaches *caches)
{
	const struct embedded_text *preset = machine_preset_find(hostmachine_base(identity));

	CHECK(preset != NULL);
	if (preset == NULL || !parse(&base, preset->text, preset->len))
		return false;
	hostmachine_write(&host, identity, caches, &base);
	CHECK_EQ_U64(host.len, strlen(host.text));
	return parse(&file, host.text, host.len);
}

/* The same of a recorded one; returns the name of its preset. */
static const char *write_recorded(const struct cpuid_table *recorded)
{
	struct cpuid_table table = *recorded;
	struct processor_identity identity;
	struct hostcaches caches;

	processor_identify(&identity, cpuid_table_answer, &table);
	hostcaches_from_cpuid(&caches, cpuid_table_answer, &table);
	return write_machine(&identity, &caches) ? hostmachine_base(&identity) : "none";
}

/* A line of the text, without its source, or with it. */
static const char *line_of(enum machinefile_kind kind, bool has_source)
{
	static char text[MACHINEFILE_MAX_LINE + 1];
	const struct machinefile_item *item = machinefile_find(&file, kind);
	const char *start = host.text;

	if (item == NULL)
		return "none";
	for (uint32_t line = 1; line < item->line; line++)
		start = strchr(start, '\n') + 1;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(start, has_source ? "\n" : ";\n"), start);
	if (!has_source)
		text[strlen(text) - 1] = '\0';
	return text;
}

/* What is expected of recorded processors: the preset, and the levels. */
static const struct expected {
	const char *processor, *preset, *l1i, *l1d, *l2, *l3;
} expected[] = {
	{ "Xeon X5550, Nehalem", "generic", "L1I 32K 4 lru assumed", "L1D 32K 8 lru assumed",
	  "L2 256K 8 lru assumed nine", "L3 8M 16 lru assumed inclusive" },
	{ "Core i7-4770R, Crystal Well", "generic", "L1I 32K 8 lru assumed",
	  "L1D 32K 8 lru assumed", "L2 256K 8 lru assumed nine", "L3 6M 12 lru assumed inclusive" },
	{ "Core i5-6400T, Skylake", "skylake", "L1I 32K 8 lru assumed", "L1D 32K 8 plru",
	  "L2 256K 4 qlru_h00_m1_r2_u1 nine",
	  "L3 6M 12 qlru_h11_m1_r0_u0 inclusive index=hash assumed" },
	{ "Xeon 6140, Skylake-SP", "skylake-sp", "L1I 32K 8 lru assumed", "L1D 32K 8 lru assumed",
	  "L2 1M 16 lru assumed nine", "L3 25344K 11 lru assumed victim index=hash assumed" },
	{ "Core i7-1065G7, Ice Lake", "icelake", "L1I 32K 8 lru assumed", "L1D 48K 12 lru3plru4",
	  "L2 512K 8 qlru_h00_m1_r0_u1 nine",
	  "L3 8M 16 qlru_h00_m1_r0_u1 inclusive index=hash assumed" },
	/* Its core is Ice Lake's, its caches are not. */
	{ "Xeon 6336Y, Ice Lake-SP", "icelake", "L1I 32K 8 lru assumed", "L1D 48K 12 lru assumed",
	  "L2 1280K 20 lru assumed nine", "L3 36M 12 lru assumed nine assumed index=hash assumed" },
	{ "Xeon Max 9460, Sapphire Rapids", "sapphirerapids", "L1I 32K 8 lru assumed",
	  "L1D 48K 12 lru assumed", "L2 2M 16 lru assumed nine",
	  "L3 99840K 15 lru assumed victim index=hash assumed" },
	{ "Xeon 658X, Granite Rapids", "generic", "L1I 64K 16 lru assumed",
	  "L1D 48K 12 lru assumed", "L2 2M 16 lru assumed nine",
	  "L3 144M 16 lru assumed nine assumed" },
	{ "Core i7-1370P, Raptor Lake, core of the one kind", "goldencove", "L1I 32K 8 lru assumed",
	  "L1D 48K 12 lru assumed", "L2 1280K 10 lru assumed nine",
	  "L3 24M 12 lru assumed nine index=hash assumed" },
	{ "EPYC 7451, Zen", "generic", "L1I 64K 4 lru assumed", "L1D 32K 8 lru assumed",
	  "L2 512K 8 lru assumed inclusive", "L3 8M 16 lru assumed nine assumed" },
	{ "EPYC 7742, Zen 2", "zen2", "L1I 32K 8 lru assumed", "L1D 32K 8 lru assumed",
	  "L2 512K 8 lru assumed inclusive", "L3 16M 16 lru assumed victim" },
	{ "Ryzen 7 5700X3D, Zen 3", "zen3", "L1I 32K 8 lru assumed", "L1D 32K 8 lru assumed",
	  "L2 512K 8 lru assumed inclusive", "L3 96M 16 lru assumed victim assumed" },
	{ "EPYC 9654, Zen 4", "zen4", "L1I 32K 8 lru assumed", "L1D 32K 8 lru assumed",
	  "L2 1M 8 lru assumed inclusive", "L3 32M 16 lru assumed victim assumed" },
	{ "EPYC 9655, Zen 5", "zen5", "L1I 32K 8 lru assumed", "L1D 48K 12 lru assumed",
	  "L2 1M 16 lru assumed inclusive", "L3 32M 16 lru assumed victim assumed" },
	/* All caches are generic's: a trace cache is not a code cache. */
	{ "Xeon 2.80 GHz, Nocona", "generic", "L1I 32K 8 lru assumed", "L1D 48K 12 lru assumed",
	  "L2 1M 16 lru assumed nine assumed", "L3 32M 16 lru assumed nine assumed" },
	{ "VIA Nano L3050", "generic", "L1I 64K 16 lru assumed", "L1D 64K 16 lru assumed",
	  "L2 1M 16 lru assumed nine assumed", "none" },
};

TEST(recorded_processors_are_machines)
{
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		const struct expected *want = &expected[i];
		const struct cpuid_table *table = cpuid_table_find(want->processor);

		if (!CHECK(table != NULL))
			continue;
		bool is_fine = CHECK_STR(write_recorded(table), want->preset);
		/* Of a machine whose caches are assumed, sizes are, too. */
		const bool is_assumed = strcmp(want->processor, "Xeon 2.80 GHz, Nocona") == 0;

		if (!is_assumed) {
			is_fine &= CHECK_STR(line_of(MACHINE_L1I, false), want->l1i);
			is_fine &= CHECK_STR(line_of(MACHINE_L1D, false), want->l1d);
			is_fine &= CHECK_STR(line_of(MACHINE_L2, false), want->l2);
			is_fine &= CHECK_STR(line_of(MACHINE_L3, false), want->l3);
		} else {
			is_fine &= CHECK_STR(line_of(MACHINE_L1I, false),
					     "L1I 32K assumed 8 assumed lru assumed");
		}
		if (!is_fine)
			printf("# of %s\n", want->processor);
	}
}

/* Whatever the processor, what is written is a machine, and each line has its source. */
TEST(all_recorded_processors_can_be_simulated)
{
	for (size_t i = 0; i < N_CPUID_TABLES; i++) {
		if (!CHECK(strcmp(write_recorded(&cpuid_tables[i]), "none") != 0))
			printf("# of %s\n", cpuid_tables[i].name);
		for (size_t k = 0; k < file.n_items; k++)
			CHECK(file.items[k].source.len > 0);
		CHECK_STR(file.name, "host");
		CHECK(machinefile_find(&file, MACHINE_STLB) != NULL);
	}
}

TEST(sources_say_who_told)
{
	write_recorded(cpuid_table_find("Core i5-6400T, Skylake"));
	CHECK_STR(line_of(MACHINE_L1D, true),
		  "L1D 32K 8 plru ; CPUID leaf 4; policy: as of skylake");
	CHECK_STR(line_of(MACHINE_L2, true),
		  "L2 256K 4 qlru_h00_m1_r2_u1 nine ; CPUID leaf 4; policy: as of skylake");
	CHECK_STR(line_of(MACHINE_LINE, true), "line 64 ; CPUID leaf 4");
	write_recorded(cpuid_table_find("EPYC 9654, Zen 4"));
	CHECK_STR(
		line_of(MACHINE_L3, true),
		"L3 32M 16 lru assumed victim assumed ; CPUID leaf 0x8000001D; policy: not known; "
		"relation: as of zen4");
	CHECK_STR(line_of(MACHINE_DTLB, true),
		  "DTLB 72 72 4K,2M ; as of zen4: CPUID leaf 0x80000005");
	CHECK_STR(line_of(MACHINE_STLB, false), "STLB 3072 24 assumed 4K,2M");
	/* Of another core, all is assumed. */
	write_recorded(cpuid_table_find("EPYC 7451, Zen"));
	CHECK_STR(line_of(MACHINE_DTLB, true),
		  "DTLB 64 assumed 64 assumed 4K,2M assumed ; as of generic: chosen");
}

TEST(levels_that_are_missing_have_no_prefetchers_and_costs)
{
	write_recorded(cpuid_table_find("Xeon E5345, Clovertown"));
	CHECK(machinefile_find(&file, MACHINE_L3) == NULL);
	for (size_t i = 0; i < file.n_items; i++)
		CHECK(file.items[i].kind != MACHINE_COST ||
		      file.items[i].values[COST_OF] != COST_L3);
	CHECK(machinefile_find(&file, MACHINE_COST) != NULL);
}

TEST(cores_are_the_kernels)
{
	const struct cpuid_table *found = cpuid_table_find("EPYC 9654, Zen 4");
	struct cpuid_table table;
	struct processor_identity identity;
	struct hostcaches caches;

	CHECK(found != NULL);
	if (found == NULL)
		return;
	table = *found;
	processor_identify(&identity, cpuid_table_answer, &table);
	hostcaches_from_cpuid(&caches, cpuid_table_answer, &table);
	caches.n_cores = 6;
	CHECK(write_machine(&identity, &caches));
	CHECK_STR(line_of(MACHINE_CORES, true), "cores 6 ; /sys, of CPU 0");
	CHECK_EQ_U64(machinefile_cores(&file), 6);
	caches.n_cores = 64;
	CHECK(write_machine(&identity, &caches));
	CHECK_STR(line_of(MACHINE_CORES, true), "cores 64 ; /sys, of CPU 0: as many, or more");
	/* It says nothing. */
	caches.n_cores = 0;
	CHECK(write_machine(&identity, &caches));
	CHECK_STR(line_of(MACHINE_CORES, false), "cores 8 assumed");
	/* Without an L3, cores share no level that is simulated. */
	CHECK_STR(write_recorded(cpuid_table_find("Xeon E5345, Clovertown")), "generic");
	CHECK(machinefile_find(&file, MACHINE_CORES) == NULL);
}

TEST(what_is_not_known_is_assumed)
{
	struct processor_identity identity = { .maker = MAKER_AMD, .family = 0x1a, .model = 2 };
	struct hostcaches caches = { 0 };

	if (!write_machine(&identity, NULL))
		return;
	CHECK_STR(line_of(MACHINE_L2, true),
		  "L2 1M assumed 16 assumed lru assumed inclusive assumed ; as of zen5: size, "
		  "relation: CPUID leaf 0x8000001D, subleaf 2");
	CHECK(write_machine(&identity, &caches));
	CHECK_STR(line_of(MACHINE_LINE, false), "line 64 assumed");
}

/* The processor of a recorded table. */
static void identify(struct processor_identity *identity, const char *name)
{
	const struct cpuid_table *found = cpuid_table_find(name);
	struct cpuid_table table;

	*identity = (struct processor_identity){ .maker = N_PROCESSOR_MAKERS };
	CHECK(found != NULL);
	if (found == NULL)
		return;
	table = *found;
	processor_identify(identity, cpuid_table_answer, &table);
}

TEST(family_and_model_have_extensions)
{
	struct processor_identity identity;

	identify(&identity, "EPYC 9654, Zen 4");
	CHECK_EQ_U64(identity.maker, MAKER_AMD);
	CHECK_EQ_U64(identity.family, 25);
	CHECK_EQ_U64(identity.model, 17);
	CHECK_STR(identity.name, "");
	identify(&identity, "Xeon Max 9460, Sapphire Rapids");
	CHECK_EQ_U64(identity.maker, MAKER_INTEL);
	CHECK_EQ_U64(identity.family, 6);
	CHECK_EQ_U64(identity.model, 143);
	identify(&identity, "Xeon 2.80 GHz, Nocona");
	CHECK_EQ_U64(identity.family, 15);
	CHECK_EQ_U64(identity.model, 3);
	identify(&identity, "VIA Nano L3050");
	CHECK_EQ_U64(identity.maker, MAKER_OTHER);
	CHECK_STR(hostmachine_base(&identity), "generic");
}

/* "  Core # 7;  x\1y  ", in the three leaves. */
static void answer_name(void *data, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
	static const char first[16] = { ' ', ' ', 'C', 'o', 'r', 'e', ' ', '#',
					' ', '7', ';', ' ', ' ', 'x', 1,   'y' };
	char bytes[16] = { 0 };

	(void)data;
	(void)subleaf;
	if (leaf == 0x80000002)
		memcpy(bytes, first, sizeof(first));
	else if (leaf == 0x80000003)
		memcpy(bytes, "  ", 3);
	memcpy(registers, bytes, sizeof(bytes));
	if (leaf == 0x80000000)
		registers[PROCESSOR_EAX] = 0x80000004;
}

TEST(names_are_harmless)
{
	struct processor_identity identity;

	processor_identify(&identity, answer_name, NULL);
	CHECK_STR(identity.name, "Core 7 xy");
	if (!write_machine(&identity, NULL))
		return;
	CHECK(strncmp(host.text, "machine host  Core 7 xy (processor, family 0, model 0)\n", 55) ==
	      0);
}

/* -- where a measured one is kept -- */

static const char *path_of(const struct processor_identity *identity, const char *cache_home,
			   const char *home, const char *cpuinfo)
{
	static char text[256];
	struct phrase path = { text, sizeof(text), 0 };

	text[0] = '\0';
	return hostmachine_measured_path(&path, cache_home, home, identity, cpuinfo) ? text
										     : "none";
}

TEST(a_measured_machine_is_of_a_processor_its_microcode_and_hypervisor)
{
	struct processor_identity identity = { .maker = MAKER_AMD,
					       .family = 25,
					       .model = 17,
					       .stepping = 1,
					       .name = "AMD EPYC 9R14 (96 cores)",
					       .hypervisor = "KVMKVMKVM" };

	CHECK_STR(path_of(&identity, NULL, "/home/me", ""),
		  "/home/me/.cache/costgrind/machines/amd-25-17-1-amd-epyc-9r14-96-cores.machine");
	CHECK_STR(
		path_of(&identity, "/cache", "/home/me",
			"processor\t: 0\nmicrocode\t: 0xA101\nbogomips\t: 1\n"),
		"/cache/costgrind/machines/amd-25-17-1-amd-epyc-9r14-96-cores-microcode-0xa101.machine");
	identity.is_virtual = true;
	CHECK_STR(path_of(&identity, "relative", "/h", "microcode\t: 0x1"),
		  "/h/.cache/costgrind/machines/"
		  "amd-25-17-1-amd-epyc-9r14-96-cores-microcode-0x1-in-kvmkvmkvm.machine");
	CHECK_STR(path_of(&identity, NULL, NULL, ""), "none");
	CHECK_STR(path_of(&identity, "", "relative", ""), "none");
}

TEST(a_path_that_is_too_long_is_none)
{
	static char home[300];
	struct processor_identity identity = { .maker = MAKER_OTHER };

	memset(home, 'x', sizeof(home) - 1);
	home[0] = '/';
	CHECK_STR(path_of(&identity, NULL, home, ""), "none");
}

static void answer_as_guest(void *data, uint32_t leaf, uint32_t subleaf, uint32_t registers[4])
{
	(void)data;
	(void)subleaf;
	memset(registers, 0, 4 * sizeof(registers[0]));
	if (leaf == 0)
		registers[PROCESSOR_EAX] = 1;
	if (leaf == 1) {
		registers[PROCESSOR_EAX] = 0xc06f2;
		registers[PROCESSOR_ECX] = 1U << 31;
	}
	if (leaf == 0x40000000)
		memcpy(&registers[PROCESSOR_EBX], "KVMKVMKVM\0\0\0", 12);
}

TEST(hypervisors_say_who_they_are)
{
	struct processor_identity identity;

	processor_identify(&identity, answer_as_guest, NULL);
	CHECK_EQ_U64(identity.stepping, 2);
	CHECK(identity.is_virtual);
	CHECK_STR(identity.hypervisor, "KVMKVMKVM");
	identify(&identity, "EPYC 9654, Zen 4");
	CHECK(!identity.is_virtual);
	CHECK_STR(identity.hypervisor, "");
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(recorded_processors_are_machines),
		CHECK_TEST(all_recorded_processors_can_be_simulated),
		CHECK_TEST(sources_say_who_told),
		CHECK_TEST(levels_that_are_missing_have_no_prefetchers_and_costs),
		CHECK_TEST(cores_are_the_kernels),
		CHECK_TEST(what_is_not_known_is_assumed),
		CHECK_TEST(family_and_model_have_extensions),
		CHECK_TEST(names_are_harmless),
		CHECK_TEST(a_measured_machine_is_of_a_processor_its_microcode_and_hypervisor),
		CHECK_TEST(a_path_that_is_too_long_is_none),
		CHECK_TEST(hypervisors_say_who_they_are),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
