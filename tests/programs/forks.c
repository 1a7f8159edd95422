/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Children of forks, with random numbers and clocks. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void print_random(const char *who)
{
	uint64_t word = 0;

	if (getrandom(&word, sizeof(word), 0) == sizeof(word))
		printf("%s: random %016llx\n", who, (unsigned long long)word);
	fflush(stdout);
}

static struct timespec now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time;
}

static bool is_later(struct timespec a, struct timespec b)
{
	return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

int main(void)
{
	struct timespec before, used;

	print_random("parent");
	for (int i = 0; i < 2; i++) {
		before = now(CLOCK_MONOTONIC);
		used = now(CLOCK_PROCESS_CPUTIME_ID);
		if (fork() == 0) {
			print_random("child");
			printf("child: %s, CPU time %s\n",
			       is_later(now(CLOCK_MONOTONIC), before) ? "later" : "earlier",
			       is_later(used, now(CLOCK_PROCESS_CPUTIME_ID)) ? "begins"
									     : "goes on");
			fflush(stdout);
			_exit(0);
		}
		wait(NULL);
	}
	printf("parent: %s\n", is_later(now(CLOCK_MONOTONIC), before) ? "later" : "earlier");
	print_random("parent");
	return 0;
}
