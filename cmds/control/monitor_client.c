/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmds/control/monitor_client.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmds/control/derivedcosts.h"
#include "profile/common/heap.h"

static void say(struct monitor_client *client, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say(struct monitor_client *client, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(client->text, sizeof(client->text), format, args);
	va_end(args);
}

/* Says why nobody can talk to it, if so. */
static bool is_barred(struct monitor_client *client, const struct target *target)
{
	switch (target->bar) {
	case TARGET_FOREIGN:
		say(client, "it is another user's, who alone can do this (not even root can)");
		return true;
	case TARGET_SILENT:
		say(client, "it was started with --vgdb=no (costgrind run --stable does that)");
		return true;
	case TARGET_APART:
		say(client, "it is in a namespace of processes of its own, by which vgdb does not "
			    "know it");
		return true;
	case TARGET_PIPELESS:
		say(client,
		    "found no pipe %s-from-vgdb-to-%d-by-...: is it still starting, or a forked "
		    "child? if not, --vgdb-prefix as it was started with",
		    target->prefix, (int)target->pid);
		return true;
	case TARGET_OPEN:
		break;
	}
	if (target->state != 'T')
		return false;
	say(client, "it is stopped by a signal, and answers when it is continued: kill -CONT %d",
	    (int)target->pid);
	return true;
}

static void say_why(struct monitor_client *client, enum vgdb_end end,
		    const struct vgdb_answer *answer)
{
	switch (end) {
	case VGDB_TIMED_OUT:
		say(client, "no answer in %u s (--timeout)", client->vgdb.seconds);
		break;
	case VGDB_INTERRUPTED:
		say(client, "interrupted");
		break;
	case VGDB_LOST:
		say(client, "it ended");
		break;
	case VGDB_REFUSED:
		say(client, "it waits in the kernel, and vgdb may not wake it by ptrace: "
			    "/proc/sys/kernel/yama/ptrace_scope is to be 0, or this to be run by "
			    "root; or try when it computes");
		break;
	case VGDB_FAILED:
	case VGDB_ANSWERED:
		say(client, "vgdb: %s", answer->why[0] ? answer->why : "failed");
		break;
	}
}

static enum vgdb_end ask(struct monitor_client *client, const struct target *target,
			 const char *request, struct vgdb_answer *answer)
{
	enum vgdb_end end = VGDB_FAILED;

	client->text[0] = '\0';
	client->end = end;
	*answer = (struct vgdb_answer){ .text = NULL };
	if (is_barred(client, target))
		return end;
	end = vgdb_ask(&client->vgdb, target, request, answer);
	if (end == VGDB_ANSWERED && !answer->text)
		end = VGDB_FAILED;
	if (end != VGDB_ANSWERED)
		say_why(client, end, answer);
	client->end = end;
	return end;
}

static bool has_monitor(struct monitor_client *client, const struct target *target)
{
	if (target->is_ours || target->tool != TARGET_CACHEGRIND)
		return true;
	say(client, "Cachegrind has no commands but to be killed");
	return false;
}

/* Says a line of an answer; messages of the tool's begin with ==PID==. */
static void say_line(struct monitor_client *client, const char *line)
{
	if (strncmp(line, "==", 2) == 0) {
		const char *end = strstr(line + 2, "== ");

		line = end ? end + 3 : line;
	}
	say(client, "%.*s", (int)strcspn(line, "\n"), line);
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
static bool say_done(struct monitor_client *client, const char *answer)
{
	const char *written = find_line(answer, written_word);
	const char *nothing = find_line(answer, nothing_word);

	say_line(client, written ? written : answer);
	if (written && nothing) {
		size_t len = strlen(client->text);

		snprintf(client->text + len, sizeof(client->text) - len, "; %.*s",
			 (int)strcspn(nothing, "\n"), nothing);
	}
	return answer[0] == '\0' || written ||
	       strncmp(answer, collection_word, strlen(collection_word)) == 0;
}

/* A request; what Callgrind answers is no matter. */
static bool give_order(struct monitor_client *client, const struct target *target,
		       const char *request)
{
	struct vgdb_answer answer;
	bool done;

	if (!has_monitor(client, target) || ask(client, target, request, &answer) != VGDB_ANSWERED)
		return false;
	done = !target->is_ours || say_done(client, answer.text);
	vgdb_answer_release(&answer);
	return done;
}

bool monitor_client_state(struct monitor_client *client, const struct target *target,
			  bool is_watching, struct runstate *state)
{
	struct vgdb_answer answer;
	const char *wrong;

	if (!has_monitor(client, target) ||
	    ask(client, target,
		is_watching && target->is_ours ? "status functions" : "status internal",
		&answer) != VGDB_ANSWERED)
		return false;
	wrong = runstate_read(state, answer.text, answer.len, &heap_env);
	vgdb_answer_release(&answer);
	if (!wrong && client->derives && !derivedcosts_add(state))
		wrong = "out of memory";
	if (!wrong)
		return true;
	runstate_release(state);
	say(client, "its answer: %s", wrong);
	return false;
}

static void make_request(char request[MONITOR_CLIENT_HINT + 16], const char *word, const char *hint)
{
	snprintf(request, MONITOR_CLIENT_HINT + 16, "%s%s%s", word, hint && hint[0] ? " " : "",
		 hint ? hint : "");
}

bool monitor_client_dump(struct monitor_client *client, const struct target *target,
			 const char *hint)
{
	char request[MONITOR_CLIENT_HINT + 16];

	make_request(request, "dump", hint);
	return give_order(client, target, request);
}

bool monitor_client_zero(struct monitor_client *client, const struct target *target)
{
	return give_order(client, target, "zero");
}

bool monitor_client_instrument(struct monitor_client *client, const struct target *target, bool on)
{
	return give_order(client, target, on ? "instrumentation on" : "instrumentation off");
}

bool monitor_client_collect(struct monitor_client *client, const struct target *target,
			    const char *word)
{
	char request[32];

	if (!has_monitor(client, target))
		return false;
	if (!target->is_ours) {
		say(client, "Callgrind has no command for that");
		return false;
	}
	snprintf(request, sizeof(request), "collection %s", word);
	return give_order(client, target, request);
}

/* Waits until it has ended; false if it does not. */
static bool wait_for_end(const struct monitor_client *client, const struct target *target)
{
	static const struct timespec moment = { 0, 20000000 };
	time_t deadline = time(NULL) + (time_t)client->vgdb.seconds + 1;

	while (target_is_alive(target)) {
		if (time(NULL) >= deadline)
			return false;
		nanosleep(&moment, NULL);
	}
	return true;
}

static bool end_cachegrind(struct monitor_client *client, const struct target *target)
{
	if (target->bar == TARGET_FOREIGN)
		return !is_barred(client, target);
	if (!target_is_alive(target)) { /* its pid may be another's by now */
		say(client, "it ended");
		return false;
	}
	if (kill(target->pid, SIGTERM) != 0) {
		say(client, "%s", strerror(errno));
		return false;
	}
	if (wait_for_end(client, target)) {
		say(client, "ended by SIGTERM, so that Cachegrind writes its file");
		return true;
	}
	say(client,
	    "SIGTERM was sent, so that Cachegrind writes its file, but the program goes on");
	return false;
}

bool monitor_client_kill(struct monitor_client *client, const struct target *target)
{
	struct vgdb_answer answer;
	enum vgdb_end end;
	char written[MONITOR_CLIENT_TEXT];

	if (!target->is_ours && target->tool == TARGET_CACHEGRIND)
		return end_cachegrind(client, target);
	if (!give_order(client, target, target->is_ours ? "final killed" : "dump killed"))
		return false;
	memcpy(written, client->text, sizeof(written));
	/* Whether the answer comes before it ends is chance. */
	end = ask(client, target, "v.kill", &answer);
	vgdb_answer_release(&answer);
	if (end != VGDB_ANSWERED && end != VGDB_LOST)
		return false;
	if (!wait_for_end(client, target)) {
		say(client, "told to end, but it goes on");
		return false;
	}
	if (target->is_ours)
		say(client, "killed%s%.400s", written[0] ? "; " : "", written);
	else
		say(client, "killed; its last part was dumped before, the file without a number is "
			    "empty");
	return true;
}
