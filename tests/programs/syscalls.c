/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls; how many and of how many bytes is said after each function
 * (tests/tool/process/syscall_calls.sh).
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static char text[100];

APART long put(int fd, long n) /* write: as often as it is called */
{
	return syscall(SYS_write, fd, text, n);
}

APART void writes(int fd) /* write: 3 times, 12 + 0 + 30 bytes */
{
	put(fd, 12);
	put(-1, 12);
	put(fd, 30);
}

APART void reads(int fd) /* read: twice, 100 + 7; pread64: 20; readv: 9 + 2 */
{
	struct iovec parts[2] = { { text, 9 }, { text + 9, 2 } };

	syscall(SYS_read, fd, text, 100);
	syscall(SYS_read, fd, text, 7);
	syscall(SYS_pread64, fd, text, 20, 0);
	syscall(SYS_readv, fd, parts, 2);
}

APART void sockets(void) /* socketpair; sendto: 50; recvfrom: 50; close: twice */
{
	int pair[2];

	syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
	syscall(SYS_sendto, pair[0], text, 50, 0, NULL, 0);
	syscall(SYS_recvfrom, pair[1], text, 100, 0, NULL, NULL);
	syscall(SYS_close, pair[0]);
	syscall(SYS_close, pair[1]);
}

APART void recursion(int fd, int n) /* write: n times, 1 byte each */
{
	put(fd, 1);
	if (n > 1)
		recursion(fd, n - 1);
	put(-1, 0); /* and so often in vain */
}

static int pipe_ends[2];

static void handler(int number) /* write: 5 */
{
	(void)number;
	syscall(SYS_write, pipe_ends[1], text, 5);
}

APART void interrupted(void) /* pipe, rt_sigaction, alarm, read: once, 5 bytes */
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

	syscall(SYS_pipe, pipe_ends);
	sigaction(SIGALRM, &action, NULL);
	syscall(SYS_alarm, 1);
	syscall(SYS_read, pipe_ends[0], text, 10);
}

int main(int argc, char **argv)
{
	int null = (int)syscall(SYS_open, "/dev/null", O_WRONLY);
	int zero = (int)syscall(SYS_open, "/dev/zero", O_RDONLY);

	(void)argv;
	writes(null);
	reads(zero);
	sockets();
	recursion(null, 4);
	if (argc > 1)
		interrupted();
	syscall(2000);
	return 0;
}
