/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/control/guesttalk.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "profile/common/heap.h"

static void say(struct talk *talk, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct talk *talk, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(talk->text, sizeof(talk->text), format, args);
	va_end(args);
}

/* Says why nobody can talk to it, if so. */
static bool is_barred(struct talk *talk, const struct guest *guest)
{
	switch (guest->bar) {
	case GUEST_FOREIGN:
		say(talk, "it is another user's, who alone can do this (not even root can)");
		return true;
	case GUEST_SILENT:
		say(talk, "it was started with --vgdb=no (costgrind run --stable does that)");
		return true;
	case GUEST_APART:
		say(talk, "it is in a namespace of processes of its own, by which vgdb does not "
			  "know it");
		return true;
	case GUEST_PIPELESS:
		say(talk,
		    "found no pipe %s-from-vgdb-to-%d-by-...: is it still starting, or a forked "
		    "child? if not, --vgdb-prefix as it was started with",
		    guest->prefix, (int)guest->pid);
		return true;
	case GUEST_OPEN:
		break;
	}
	if (guest->state != 'T')
		return false;
	say(talk, "it is stopped by a signal, and answers when it is continued: kill -CONT %d",
	    (int)guest->pid);
	return true;
}

static void say_why(struct talk *talk, enum vgdb_end end, const struct vgdb_answer *answer)
{
	switch (end) {
	case VGDB_TIMED_OUT:
		say(talk, "no answer in %u s (--timeout)", talk->vgdb.seconds);
		break;
	case VGDB_INTERRUPTED:
		say(talk, "interrupted");
		break;
	case VGDB_LOST:
		say(talk, "it ended");
		break;
	case VGDB_REFUSED:
		say(talk, "it waits in the kernel, and vgdb may not wake it by ptrace: "
			  "/proc/sys/kernel/yama/ptrace_scope is to be 0, or this to be run by "
			  "root; or try when it computes");
		break;
	case VGDB_FAILED:
	case VGDB_ANSWERED:
		say(talk, "vgdb: %s", answer->why[0] ? answer->why : "failed");
		break;
	}
}

static enum vgdb_end ask(struct talk *talk, const struct guest *guest, const char *request,
			 struct vgdb_answer *answer)
{
	enum vgdb_end end = VGDB_FAILED;

	talk->text[0] = '\0';
	talk->end = end;
	*answer = (struct vgdb_answer){ .text = NULL };
	if (is_barred(talk, guest))
		return end;
	end = vgdb_ask(&talk->vgdb, guest, request, answer);
	if (end == VGDB_ANSWERED && !answer->text)
		end = VGDB_FAILED;
	if (end != VGDB_ANSWERED)
		say_why(talk, end, answer);
	talk->end = end;
	return end;
}

static bool has_monitor(struct talk *talk, const struct guest *guest)
{
	if (guest->is_ours || guest->tool != GUEST_CACHEGRIND)
		return true;
	say(talk, "Cachegrind has no commands but to be killed");
	return false;
}

/* Says a line of an answer; messages of the tool's begin with ==PID==. */
static void say_line(struct talk *talk, const char *line)
{
	if (strncmp(line, "==", 2) == 0) {
		const char *end = strstr(line + 2, "== ");

		line = end ? end + 3 : line;
	}
	say(talk, "%.*s", (int)strcspn(line, "\n"), line);
}

/* The line of an answer that begins so, or NULL. */
static const char *find_line(const char *answer, const char *begin)
{
	const char *line = answer;

	while (line && strncmp(line, begin, strlen(begin)) != 0) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return line;
}

/* What the tool says of what it has done; all else is why it was not done. */
static const char written_word[] = "written: ", collection_word[] = "collection: ";
static const char nothing_word[] = "nothing was collected: ";

/* Says what it has done, of which nothing need be said. */
static bool say_done(struct talk *talk, const char *answer)
{
	const char *written = find_line(answer, written_word);
	const char *nothing = find_line(answer, nothing_word);

	say_line(talk, written ? written : answer);
	if (written && nothing) {
		size_t len = strlen(talk->text);

		snprintf(talk->text + len, sizeof(talk->text) - len, "; %.*s",
			 (int)strcspn(nothing, "\n"), nothing);
	}
	return answer[0] == '\0' || written ||
	       strncmp(answer, collection_word, strlen(collection_word)) == 0;
}

/* A request; what Callgrind answers is no matter. */
static bool tell(struct talk *talk, const struct guest *guest, const char *request)
{
	struct vgdb_answer answer;
	bool done;

	if (!has_monitor(talk, guest) || ask(talk, guest, request, &answer) != VGDB_ANSWERED)
		return false;
	done = !guest->is_ours || say_done(talk, answer.text);
	vgdb_answer_release(&answer);
	return done;
}

bool talk_state(struct talk *talk, const struct guest *guest, bool is_watching,
		struct runstate *state)
{
	struct vgdb_answer answer;
	const char *wrong;

	if (!has_monitor(talk, guest) ||
	    ask(talk, guest, is_watching && guest->is_ours ? "status functions" : "status internal",
		&answer) != VGDB_ANSWERED)
		return false;
	wrong = runstate_read(state, answer.text, answer.len, &heap_env);
	vgdb_answer_release(&answer);
	if (!wrong)
		return true;
	runstate_release(state);
	say(talk, "its answer: %s", wrong);
	return false;
}

static void make_request(char request[TALK_HINT + 16], const char *word, const char *hint)
{
	snprintf(request, TALK_HINT + 16, "%s%s%s", word, hint && hint[0] ? " " : "",
		 hint ? hint : "");
}

bool talk_dump(struct talk *talk, const struct guest *guest, const char *hint)
{
	char request[TALK_HINT + 16];

	make_request(request, "dump", hint);
	return tell(talk, guest, request);
}

bool talk_zero(struct talk *talk, const struct guest *guest)
{
	return tell(talk, guest, "zero");
}

bool talk_instrument(struct talk *talk, const struct guest *guest, bool on)
{
	return tell(talk, guest, on ? "instrumentation on" : "instrumentation off");
}

bool talk_collect(struct talk *talk, const struct guest *guest, const char *word)
{
	char request[32];

	if (!has_monitor(talk, guest))
		return false;
	if (!guest->is_ours) {
		say(talk, "Callgrind has no command for that");
		return false;
	}
	snprintf(request, sizeof(request), "collection %s", word);
	return tell(talk, guest, request);
}

/* Waits until it has ended; false if it does not. */
static bool wait_for_end(const struct talk *talk, const struct guest *guest)
{
	static const struct timespec moment = { 0, 20000000 };
	time_t deadline = time(NULL) + (time_t)talk->vgdb.seconds + 1;

	while (guest_is_alive(guest)) {
		if (time(NULL) >= deadline)
			return false;
		nanosleep(&moment, NULL);
	}
	return true;
}

static bool end_cachegrind(struct talk *talk, const struct guest *guest)
{
	if (guest->bar == GUEST_FOREIGN)
		return !is_barred(talk, guest);
	if (!guest_is_alive(guest)) { /* its pid may be another's by now */
		say(talk, "it ended");
		return false;
	}
	if (kill(guest->pid, SIGTERM) != 0) {
		say(talk, "%s", strerror(errno));
		return false;
	}
	if (wait_for_end(talk, guest)) {
		say(talk, "ended by SIGTERM, so that Cachegrind writes its file");
		return true;
	}
	say(talk, "SIGTERM was sent, so that Cachegrind writes its file, but the program goes on");
	return false;
}

bool talk_kill(struct talk *talk, const struct guest *guest)
{
	struct vgdb_answer answer;
	enum vgdb_end end;
	char written[TALK_TEXT];

	if (!guest->is_ours && guest->tool == GUEST_CACHEGRIND)
		return end_cachegrind(talk, guest);
	if (!tell(talk, guest, guest->is_ours ? "final killed" : "dump killed"))
		return false;
	memcpy(written, talk->text, sizeof(written));
	/* Whether the answer comes before it ends is chance. */
	end = ask(talk, guest, "v.kill", &answer);
	vgdb_answer_release(&answer);
	if (end != VGDB_ANSWERED && end != VGDB_LOST)
		return false;
	if (!wait_for_end(talk, guest)) {
		say(talk, "told to end, but it goes on");
		return false;
	}
	if (guest->is_ours)
		say(talk, "killed%s%.400s", written[0] ? "; " : "", written);
	else
		say(talk, "killed; its last part was dumped before, the file without a number is "
			  "empty");
	return true;
}
