/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel answers to questions about time, by the clock of
 * tool/deterministic/clock.h, with --deterministic=yes.  Each is called when the system
 * call is over and has succeeded.
 */
#ifndef TOOL_DETERMINISTIC_TIMEANSWER_H
#define TOOL_DETERMINISTIC_TIMEANSWER_H

#include "pub_tool_basics.h"

/* What is asked, args[0], and where the answer goes. */
void time_answer_gettime(ThreadId tid, const UWord *args, UWord result);
void time_answer_getres(ThreadId tid, const UWord *args, UWord result);
void time_answer_gettimeofday(ThreadId tid, const UWord *args, UWord result);
void time_answer_time(ThreadId tid, const UWord *args, UWord result);

/* What the process has used. */
void time_answer_times(ThreadId tid, const UWord *args, UWord result);
void time_answer_getrusage(ThreadId tid, const UWord *args, UWord result);
void time_answer_wait4(ThreadId tid, const UWord *args, UWord result);
void time_answer_waitid(ThreadId tid, const UWord *args, UWord result);

/* Timers. */
void time_answer_alarm(ThreadId tid, const UWord *args, UWord result);
void time_answer_setitimer(ThreadId tid, const UWord *args, UWord result);
void time_answer_getitimer(ThreadId tid, const UWord *args, UWord result);
void time_answer_timer_create(ThreadId tid, const UWord *args, UWord result);
void time_answer_timer_gettime(ThreadId tid, const UWord *args, UWord result);
void time_answer_timerfd_gettime(ThreadId tid, const UWord *args, UWord result);

/*
 * Times of files: whole seconds, as some file systems have no others, and when a file was read is
 * when it was changed, as on those that do not note reading.  A program that works with such times
 * takes as long for each, then, and its own reading in the run before makes no difference.  Of stat,
 * lstat and fstat; newfstatat; statx.
 */
void filetime_stat(ThreadId tid, const UWord *args, UWord result);
void filetime_newfstatat(ThreadId tid, const UWord *args, UWord result);
void filetime_statx(ThreadId tid, const UWord *args, UWord result);

#endif
