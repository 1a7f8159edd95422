/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads random bytes, waits for a second, and reads the time, under a filter that kills who calls
 * fstat, fstatfs or readlink.
 */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define KILL(call) \
 BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL)

int main(void)
{
	static struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		KILL(fstat),
		KILL(fstatfs),
		KILL(readlink),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };
	unsigned char bytes[8];
	struct timespec time;
	sem_t sem;
	int fd = open("/dev/urandom", O_RDONLY);
	char line[100];
	int len;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return 1;
	if (read(fd, bytes, sizeof(bytes)) != sizeof(bytes))
		return 2;
	for (int i = 0; i < 8; i++) {
		len = snprintf(line, sizeof(line), "%02x%s", bytes[i], i == 7 ? "\n" : "");
		if (write(1, line, (size_t)len) != len)
			return 3;
	}
	sem_init(&sem, 0, 0);
	clock_gettime(CLOCK_REALTIME, &time);
	time.tv_sec++;
	sem_timedwait(&sem, &time);
	clock_gettime(CLOCK_REALTIME, &time);
	len = snprintf(line, sizeof(line), "%lld.%09ld\n", (long long)time.tv_sec, time.tv_nsec);
	return write(1, line, (size_t)len) == len ? 0 : 4;
}
