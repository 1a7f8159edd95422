/* SPDX-License-Identifier: GPL-3.0-or-later */
/* data/cores: each is a table of its file's name and of a machine's, and has costs that are known. */
#include "sim/core/instructiontable.h"

#include <stdlib.h>

#include "sim/machines/machinefile.h"
#include "tests/common/check.h"

static struct instructiontable table;
static void *memory;

static bool parse(const struct embedded_text *core)
{
	struct instructiontable_error error;

	free(memory);
	memory = malloc(instructiontable_size(core->text, core->len));
	if (memory != NULL && instructiontable_parse(&table, core->text, core->len, memory, &error))
		return true;
	if (memory != NULL)
		printf("# %s.core:%" PRIu32 ": expected %s, found '%.*s'\n", core->name, error.line,
		       error.expected, (int)error.found.len, core->text + error.found.offset);
	return check_true(false, "it is a table", __FILE__, __LINE__);
}

static struct instruction_row row_of(const char *key)
{
	struct instruction_row row;

	if (!CHECK(instructiontable_find(&table, key, strlen(key), &row) == INSTRUCTION_EXACT))
		printf("# of %s: %s\n", table.name, key);
	return row;
}

static unsigned latency(const char *key)
{
	return row_of(key).latency;
}

/* Tenths of a cycle that one of them takes, of ports alone, if there are many. */
static unsigned throughput(const char *key)
{
	struct instruction_row row = row_of(key);
	unsigned most = 0;

	for (unsigned i = 0; i < row.n_uses; i++) {
		unsigned tenths =
			row.uses[i].tenths / (unsigned)__builtin_popcount(row.uses[i].ports);

		if (tenths > most)
			most = tenths;
	}
	return most;
}

TEST(all_are_tables_of_their_names)
{
	CHECK_EQ_U64(n_core_tables, 9);
	for (size_t i = 0; i < n_core_tables; i++) {
		const struct embedded_text *core = &core_tables[i];

		if (!parse(core))
			continue;
		CHECK_STR(table.name, core->name);
		CHECK(core_table_find(core->name) == core);
		CHECK_STR(core_names[i], core->name);
		CHECK(machine_preset_find(core->name) != NULL);
		CHECK(i == 0 || strcmp(core_tables[i - 1].name, core->name) < 0);
		CHECK(table.n_keys > 3400);
		CHECK(core->len < 120000);
		CHECK(table.load.n_uses > 0 && table.store.n_uses > 0 && table.other.n_uses > 0);
	}
	CHECK(core_names[n_core_tables] == NULL);
	CHECK(core_table_find("zen") == NULL);
	CHECK(core_table_find("zen55") == NULL);
	CHECK(core_table_find("") == NULL);
}

/* What each of them has, whatever it costs. */
TEST(common_forms_have_rows)
{
	static const char *const keys[] = { "mov r64,r64",
					    "mov r64,m64",
					    "mov m64,r64",
					    "mov m32,i",
					    "movzx r32,m8",
					    "movsxd r64,r32",
					    "lea r64,m",
					    "lea r64,m3",
					    "test r64,r64",
					    "cmp m8,i",
					    "je i",
					    "jmp m64",
					    "call i",
					    "call r64",
					    "ret",
					    "push r64",
					    "pop r64",
					    "endbr64",
					    "nop m",
					    "sete r8",
					    "cmovne r32,r32",
					    "shl r64,cl",
					    "shl r64,i",
					    "imul r64,r64,i",
					    "div r64",
					    "lock cmpxchg m64,r64",
					    "rep stosq m64,r64",
					    "movaps m128,x",
					    "pxor x,x",
					    "vpcmpeqb y,y,m256",
					    "vpmovmskb r32,y",
					    "vfmadd231pd y,y,m256",
					    "vgatherdps y,m32,y",
					    "vzeroupper",
					    "fld m64",
					    "fxch st",
					    "cvtsi2sd x,r64",
					    "aesenc x,x",
					    "pclmulqdq x,x,i",
					    "adcx r64,r64",
					    "mulx r64,r64,r64",
					    "pdep r64,r64,r64",
					    "sha256rnds2 x,x",
					    "syscall",
					    "cpuid" };

	for (size_t i = 0; i < n_core_tables; i++)
		if (parse(&core_tables[i]))
			for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
				row_of(keys[k]);
}

/* Numbers of vendors' guides, and of what everybody measures. */
struct known {
	const char *core;
	unsigned load, vector_load; /* latencies */
	unsigned addsd, mulsd, fma, imul;
	unsigned add; /* tenths of a cycle, if there are many */
	unsigned loads, stores;
};

TEST(known_numbers_are_there)
{
	static const struct known known[] = {
		{ "zen2", 4, 7, 3, 3, 5, 3, 2, 5, 10 },
		{ "zen3", 4, 7, 3, 3, 4, 3, 2, 3, 5 },
		{ "zen4", 4, 7, 3, 3, 4, 3, 2, 3, 5 },
		{ "zen5", 4, 7, 2, 3, 4, 3, 1, 2, 5 },
		{ "skylake", 5, 6, 4, 4, 4, 3, 2, 5, 10 },
		{ "skylake-sp", 5, 6, 4, 4, 4, 3, 2, 5, 10 },
		{ "icelake", 5, 6, 4, 4, 4, 3, 2, 5, 5 },
		{ "sapphirerapids", 5, 7, 2, 4, 4, 3, 2, 3, 5 },
		{ "goldencove", 5, 7, 2, 4, 4, 3, 2, 3, 5 },
	};

	CHECK_EQ_U64(sizeof(known) / sizeof(known[0]), n_core_tables);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct known *k = &known[i];
		const struct embedded_text *core = core_table_find(k->core);

		if (!CHECK(core != NULL) || !parse(core))
			continue;
		printf("# %s\n", k->core);
		CHECK_EQ_U64(table.loads.integer, k->load);
		CHECK_EQ_U64(table.loads.vector, k->vector_load);
		CHECK_EQ_U64(latency("mov r64,m64"), k->load);
		CHECK_EQ_U64(latency("movaps x,m128"), k->vector_load);
		CHECK_EQ_U64(latency("add r64,r64"), 1);
		CHECK_EQ_U64(latency("add r64,m64"), k->load + 1);
		CHECK(latency("add m64,r64") - k->load >= 1 &&
		      latency("add m64,r64") - k->load <= 2);
		CHECK_EQ_U64(latency("mov m64,r64"), 1);
		CHECK_EQ_U64(latency("imul r64,r64"), k->imul);
		CHECK_EQ_U64(latency("addsd x,x"), k->addsd);
		CHECK_EQ_U64(latency("mulsd x,x"), k->mulsd);
		CHECK_EQ_U64(latency("vfmadd231pd y,y,y"), k->fma);
		CHECK_EQ_U64(throughput("add r64,r64"), k->add);
		CHECK_EQ_U64(throughput("mov r64,m64"), k->loads);
		CHECK_EQ_U64(throughput("mov m64,r64"), k->stores);
		/* One slot, although Intel's cores execute two or four parts. */
		CHECK_EQ_U64(row_of("mov m64,r64").uops, 1);
		CHECK_EQ_U64(row_of("push r64").uops, 1);
		CHECK_EQ_U64(row_of("je i").uops, 1);
		CHECK(row_of("add m64,r64").uops <= 2);
		CHECK(latency("div r64") >= 12 && latency("div r64") <= 40);
		CHECK(latency("lock add m64,r64") >= 8);
	}
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(all_are_tables_of_their_names),
		CHECK_TEST(common_forms_have_rows),
		CHECK_TEST(known_numbers_are_there),
	};
	int status = check_run(tests, sizeof(tests) / sizeof(tests[0]));

	free(memory);
	return status;
}
