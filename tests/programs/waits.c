/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits in every way that has a timeout, and prints how many ms its clock says
 * that each has taken: what was asked for, if the clock is one that nothing
 * else moves on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, SECOND = 1000000000 };

static struct timespec now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time;
}

static struct timespec later(clockid_t clock, long ms)
{
	struct timespec time = now(clock);

	time.tv_nsec += ms * MS;
	time.tv_sec += time.tv_nsec / SECOND;
	time.tv_nsec %= SECOND;
	return time;
}

static long long passed(struct timespec since)
{
	struct timespec time = now(CLOCK_MONOTONIC);

	return ((time.tv_sec - since.tv_sec) * (long long)SECOND + time.tv_nsec - since.tv_nsec) /
	       MS;
}

static void sleeps(void)
{
	struct timespec time = { 0, 20 * MS };

	nanosleep(&time, NULL);
}

static void sleeps_by_clock(void)
{
	struct timespec time = { 0, 20 * MS };

	clock_nanosleep(CLOCK_BOOTTIME, 0, &time, NULL);
}

static void sleeps_until(void)
{
	struct timespec time = later(CLOCK_MONOTONIC, 30);

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static void sleeps_until_date(void)
{
	struct timespec time = later(CLOCK_REALTIME, 30);

	clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL);
}

static void sleeps_until_past(void)
{
	struct timespec time = { 1000, 0 };

	clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL);
}

static void polls(void)
{
	poll(NULL, 0, 20);
}

static void polls_ready(void)
{
	int ends[2];
	struct pollfd fd;

	if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1)
		return;
	fd = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	poll(&fd, 1, 500000);
	close(ends[0]);
	close(ends[1]);
}

static void ppolls(void)
{
	struct timespec time = { 0, 20 * MS };

	ppoll(NULL, 0, &time, NULL);
}

static void selects(void)
{
	struct timeval time = { 0, 20000 };

	select(0, NULL, NULL, NULL, &time);
	if (time.tv_sec != 0 || time.tv_usec != 0)
		printf("select left %ld\n", (long)time.tv_usec);
}

static void selects_ready(void)
{
	struct timeval time = { 100, 20000 };
	int ends[2];
	fd_set set;

	if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1)
		return;
	FD_ZERO(&set);
	FD_SET(ends[0], &set);
	select(ends[0] + 1, &set, NULL, NULL, &time);
	printf("select leaves %ld.%06ld\n", (long)time.tv_sec, (long)time.tv_usec);
	close(ends[0]);
	close(ends[1]);
}

static void pselects(void)
{
	struct timespec time = { 0, 20 * MS };

	pselect(0, NULL, NULL, NULL, &time, NULL);
}

static void epolls(void)
{
	struct epoll_event event;
	int fd = epoll_create1(0);

	epoll_wait(fd, &event, 1, 20);
	close(fd);
}

static void condition(clockid_t clock)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_condattr_t attributes;
	pthread_cond_t cond;
	struct timespec time;
	int error = 0;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, clock);
	pthread_cond_init(&cond, &attributes);
	pthread_mutex_lock(&mutex);
	time = later(clock, 40);
	while (error == 0)
		error = pthread_cond_timedwait(&cond, &mutex, &time);
	pthread_mutex_unlock(&mutex);
	if (error != ETIMEDOUT)
		printf("condition: %s\n", strerror(error));
}

static void condition_by_date(void)
{
	condition(CLOCK_REALTIME);
}

static void condition_by_clock(void)
{
	condition(CLOCK_MONOTONIC);
}

static void semaphore(void)
{
	struct timespec time = later(CLOCK_REALTIME, 20);
	sem_t sem;

	sem_init(&sem, 0, 0);
	sem_timedwait(&sem, &time);
}

static void mutex_kind(int protocol)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;
	struct timespec time;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, protocol);
	pthread_mutex_init(&mutex, &attributes);
	pthread_mutex_lock(&mutex);
	time = later(CLOCK_REALTIME, 20);
	pthread_mutex_timedlock(&mutex, &time);
}

static void mutex(void)
{
	mutex_kind(PTHREAD_PRIO_NONE);
}

static void signals(void)
{
	struct timespec time = { 0, 20 * MS };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigtimedwait(&set, NULL, &time);
}

static void semaphores(void)
{
	struct timespec time = { 0, 20 * MS };
	struct sembuf operation = { .sem_op = -1 };
	int id = semget(IPC_PRIVATE, 1, 0600);

	semtimedop(id, &operation, 1, &time);
	semctl(id, 0, IPC_RMID);
}

static void messages(void)
{
	struct mq_attr attributes = { .mq_maxmsg = 1, .mq_msgsize = 8 };
	char name[32], text[8];
	struct timespec time;
	mqd_t queue;

	snprintf(name, sizeof(name), "/costgrind.%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
	mq_unlink(name);
	if (queue == (mqd_t)-1) { /* not allowed here: sleeping is as good */
		usleep(20000);
		return;
	}
	time = later(CLOCK_REALTIME, 20);
	mq_timedreceive(queue, text, sizeof(text), NULL, &time);
	mq_close(queue);
}

static void timer_file(int flags, struct timespec first, long interval_ms, int reads)
{
	struct itimerspec time = { { 0, interval_ms * MS }, first };
	int fd = timerfd_create(flags == 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME, TFD_CLOEXEC);
	uint64_t n = 0, sum = 0;

	timerfd_settime(fd, flags, &time, NULL);
	while (sum < (uint64_t)reads && read(fd, &n, sizeof(n)) == sizeof(n))
		sum += n;
	close(fd);
}

static void timer_file_once(void)
{
	timer_file(0, (struct timespec){ 0, 20 * MS }, 0, 1);
}

static void timer_file_until(void)
{
	timer_file(TFD_TIMER_ABSTIME, later(CLOCK_REALTIME, 20), 0, 1);
}

static volatile sig_atomic_t n_handled;

static void handle(int signal)
{
	(void)signal;
	n_handled++;
}

static void handle_with(int signal, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_flags = flags };

	action.sa_handler = handler;
	sigaction(signal, &action, NULL);
}

static void alarms(void)
{
	handle_with(SIGALRM, handle, 0);
	alarm(1);
	pause();
}

static void alarm_left(void)
{
	alarm(100);
	sleeps();
	printf("alarm left %u\n", alarm(0));
}

static void interval_timer(void)
{
	struct itimerval time = { { 0, 0 }, { 0, 20000 } };
	struct itimerval left;

	handle_with(SIGALRM, handle, 0);
	setitimer(ITIMER_REAL, &time, NULL);
	getitimer(ITIMER_REAL, &left);
	printf("getitimer %ld.%02ld\n", (long)left.it_value.tv_sec,
	       (long)left.it_value.tv_usec / 10000);
	pause();
}

static void posix_timer(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN };
	struct itimerspec time = { { 0, 0 }, later(CLOCK_MONOTONIC, 20) };
	timer_t timer;

	handle_with(SIGRTMIN, handle, 0);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, TIMER_ABSTIME, &time, NULL);
	pause();
	timer_delete(timer);
}

static void notify(union sigval value)
{
	sem_post(value.sival_ptr);
}

static void timer_with_thread(void)
{
	struct itimerspec time = { { 0, 0 }, { 0, 20 * MS } };
	sem_t sem;
	struct sigevent event = { .sigev_notify = SIGEV_THREAD,
				  .sigev_value.sival_ptr = &sem,
				  .sigev_notify_function = notify };
	timer_t timer;

	sem_init(&sem, 0, 0);
	timer_create(CLOCK_REALTIME, &event, &timer);
	timer_settime(timer, 0, &time, NULL);
	while (sem_wait(&sem) != 0)
		;
	timer_delete(timer);
}

/* While a handler that waits itself interrupts, and the call is started again. */
static void handle_sleeping(int signal)
{
	struct timespec time = later(CLOCK_MONOTONIC, 30);

	(void)signal;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static void nested(void)
{
	struct timespec time = later(CLOCK_REALTIME, 200);
	struct itimerval soon = { { 0, 0 }, { 0, 20000 } };
	sem_t sem;
	int error;

	handle_with(SIGALRM, handle_sleeping, SA_RESTART);
	setitimer(ITIMER_REAL, &soon, NULL);
	sem_init(&sem, 0, 0);
	do
		error = sem_timedwait(&sem, &time) == 0 ? 0 : errno;
	while (error == EINTR);
	if (error != ETIMEDOUT)
		printf("nested: %s\n", strerror(error));
}

static void *nap(void *arg)
{
	(void)arg;
	usleep(50000);
	return NULL;
}

/* Both at the same time: it passes once. */
static void two_threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, nap, NULL);
	nap(NULL);
	pthread_join(thread, NULL);
}

static struct timespec deadline;
static pthread_mutex_t deadline_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t deadline_cond = PTHREAD_COND_INITIALIZER;

static void *until_deadline(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&deadline_mutex);
	while (pthread_cond_timedwait(&deadline_cond, &deadline_mutex, &deadline) == 0)
		;
	pthread_mutex_unlock(&deadline_mutex);
	return NULL;
}

/* One moment in memory, for which several threads wait. */
static void shared_deadline(void)
{
	pthread_t threads[3];

	deadline = later(CLOCK_REALTIME, 60);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, until_deadline, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

/* By asking again and again. */
static void spins(void)
{
	struct timespec since = now(CLOCK_MONOTONIC);

	while (passed(since) < 20)
		;
}

static const struct {
	const char *name;
	void (*wait)(void);
} ways[] = {
	{ "nanosleep", sleeps },
	{ "clock_nanosleep", sleeps_by_clock },
	{ "clock_nanosleep until", sleeps_until },
	{ "clock_nanosleep until a date", sleeps_until_date },
	{ "clock_nanosleep until long ago", sleeps_until_past },
	{ "poll", polls },
	{ "poll of what is ready", polls_ready },
	{ "ppoll", ppolls },
	{ "select", selects },
	{ "select of what is ready", selects_ready },
	{ "pselect", pselects },
	{ "epoll_wait", epolls },
	{ "pthread_cond_timedwait by date", condition_by_date },
	{ "pthread_cond_timedwait by clock", condition_by_clock },
	{ "sem_timedwait", semaphore },
	{ "pthread_mutex_timedlock", mutex },
	{ "sigtimedwait", signals },
	{ "semtimedop", semaphores },
	{ "mq_timedreceive", messages },
	{ "timerfd", timer_file_once },
	{ "timerfd until a date", timer_file_until },
	{ "alarm", alarms },
	{ "alarm that does not ring", alarm_left },
	{ "setitimer", interval_timer },
	{ "timer_settime until", posix_timer },
	{ "timer_settime with a thread", timer_with_thread },
	{ "sem_timedwait with a handler", nested },
	{ "two threads", two_threads },
	{ "one deadline", shared_deadline },
	{ "asking", spins },
};

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct timespec since = now(CLOCK_MONOTONIC);

		ways[i].wait();
		printf("%s: %lld ms\n", ways[i].name, passed(since));
	}
	return 0;
}
