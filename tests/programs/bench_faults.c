/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What bench.h refuses.  The program has a main() of its own. */
#include <costgrind/bench.h>

static void right(struct costgrind_bench *bench)
{
	COSTGRIND_MEASURE(bench)
	{
	}
}

static void unreached(struct costgrind_bench *bench)
{
	if (bench->argument != 0)
		right(bench);
}

static void left(struct costgrind_bench *bench)
{
	COSTGRIND_MEASURE(bench)
	{
		break;
	}
}

static void twice(struct costgrind_bench *bench)
{
	right(bench);
	right(bench);
}

int main(int argc, char **argv)
{
	struct costgrind_suite suite;
	char name[300];

	costgrind_suite_init(&suite, argc, argv);
	costgrind_suite_add(&suite, "unreached", unreached);
	costgrind_suite_add(&suite, "left", left);
	costgrind_suite_add(&suite, "twice", twice);
	costgrind_suite_add_argument(&suite, "right <a: b>", right, -1);
	costgrind_suite_add(&suite, "left", right);
	memset(name, 'x', sizeof(name));
	name[255] = '\0';
	costgrind_suite_add(&suite, name, right);
	name[255] = 'x';
	name[256] = '\0';
	costgrind_suite_add(&suite, name, right);
	return costgrind_suite_run(&suite);
}
