/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads of a socket that has a time limit, when there is nothing to read. */
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

int main(void)
{
	struct timeval limit = { 0, 60000 };
	long long times[5];
	int ends[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
		return 1;
	setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	times[0] = now_ms();
	if (recv(ends[0], &byte, 1, 0) >= 0)
		return 1;
	times[1] = now_ms();
	if (read(ends[0], &byte, 1) >= 0)
		return 1;
	times[2] = now_ms();
	if (recv(ends[0], &byte, 1, MSG_DONTWAIT) >= 0)
		return 1;
	times[3] = now_ms();
	printf("waited %lld ms, then %lld ms\n", times[1] - times[0], times[2] - times[1]);
	printf("%s\n", times[3] - times[2] < 60 ? "did not wait" : "waited");
	return 0;
}
