/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fork: the child starts from zero, unless it is to inherit costs, and has its own file.
 *
 * exec: the tool's state goes with the old image, so its profile is written before the system call,
 * if the call looks as if it would succeed. If it fails nevertheless, nothing is lost: the program
 * goes on, and its final profile replaces the early one. If the new image is traced too, it has the
 * same pid and would overwrite the early profile. So the early profile gets the number of another
 * part after its name, and the new image is given the name and the numbers that are used (struct
 * handover).
 *
 * The core looks for the executed file after the program's own system call. But to the kernel,
 * /proc/self/exe is the tool, and a file in memory has no name. So generated code calls the tool
 * before, which gives such a file another name: the program's path, or a descriptor's.
 *
 * A child that only prepares to exec another program (system, popen, posix_spawn) has nothing worth
 * a file; FEW_INSTRUCTIONS says what "only" means. The first process says that such programs were
 * not profiled, at its end and in its profile: if each child said so, there would be a line for
 * each command of a script (tool/output/descs.h).
 *
 * prctl(PR_SET_SECCOMP): whatever else is forbidden afterwards, opening files is, and trying would
 * kill the program.
 *
 * clone: the core panics, after pages of stack traces, if there are more threads than --max-threads
 * allows. So the run ends here, before the call, in the usual way.
 *
 * setuid and the like: afterwards the directory may not be writable any more. The profile is
 * written once before, and its file is kept open to be written again in place.
 */
#include "tool/process/process.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "pub_tool_xarray.h"

#include "tool/calls/state.h"
#include "tool/calls/systime.h"
#include "tool/common/filesystem.h"
#include "tool/common/guest.h"
#include "tool/common/message.h"
#include "tool/common/self.h"
#include "tool/common/syscall.h"
#include "tool/deterministic/deterministic.h"
#include "tool/generated/generated.h"
#include "tool/instrument/client.h"
#include "tool/instrument/state.h"
#include "tool/output/state.h"
#include "tool/pages/faults.h"
#include "tool/symbols/symbol.h"

enum {
	FEW_INSTRUCTIONS = 100000,
	SUFFIX_SIZE = 16, /* bytes of ".4294967295" with its NUL */
};

/* The core's answer to --trace-children and --trace-children-skip; not in its public headers. */
extern Bool VG_(should_we_trace_this_child)(const HChar *exe, const HChar **argv);

/* False if the slot is free; not in its public headers. */
extern Bool VG_(is_valid_tid)(ThreadId tid);

/* The program's file, which the core has open, and the first descriptor that the program cannot have. */
extern Int VG_(cl_exec_fd);
extern Int VG_(fd_hard_limit);

/* Memory for the program, and its arguments but the first. */
extern SysRes VG_(am_mmap_anon_float_client)(SizeT length, Int prot);
extern SysRes VG_(am_munmap_client)(Bool *need_discard, Addr start, SizeT length);
extern XArray *VG_(args_for_client);

/* The program's first auxiliary vector; not in its public headers. */
extern UWord *VG_(client_auxv);

/* Only says --trace-children. */
extern Bool VG_(clo_trace_children);

/* -- what is handed to the next program ------------------------------------- */

/*
 * Not an environment variable, which would change the program's environment and so its counts; nor
 * a file in a common directory, where anyone may put one: a file in memory can only come from the
 * process that executed this program.
 */
#define HANDOVER_NAME "costgrind.handover"

static const UInt HANDOVER_MAGIC = 0x32484743; /* "CGH2" */

struct handover_message {
	UInt magic;
	Int pid; /* of its writer: it is valid for no other process */
	struct handover handover;
};

static Bool makes_sense(const struct handover_message *message)
{
	const struct handover *handover = &message->handover;
	const HChar *path = handover->path;

	return message->magic == HANDOVER_MAGIC &&
	       message->pid ==
		       VG_(getpid)() && (path[0] == '\0' || path[0] == '/') &&
			   path[HANDOVER_PATH_SIZE - 1] == '\0' &&
			   handover->argv0[HANDOVER_NAME_SIZE - 1] == '\0' &&
			   (handover->image == 0 || handover->image >= VG_(fd_hard_limit)) &&
			    handover->instrumenting <= 1;
}

/* A new page of the program's with this text; NULL if there is no memory. */
static HChar *give_text(const HChar *text)
{
	SysRes page = VG_(am_mmap_anon_float_client)(VKI_PAGE_SIZE, VKI_PROT_READ | VKI_PROT_WRITE);

	if (sr_isError(page))
		return NULL;
	VG_(strlcpy)((HChar *)(Addr)sr_Res(page), text, VKI_PAGE_SIZE);
	return (HChar *)(Addr)sr_Res(page);
}

/* Before the program starts, to replace the name that the core has found the program by. */
static void set_argv0(const HChar *text)
{
	const UWord argc = 1 + (UWord)VG_(sizeXA)(VG_(args_for_client));
	HChar **argv = VG_(client_envp) - 1 - argc;
	HChar *own;

	/* argc is before argv, unless a script's interpreter is, whose argument the name is. */
	if ((UWord)argv[-1] != argc || VG_(strcmp)(argv[0], text) == 0)
		return;
	own = give_text(text);
	if (own != NULL)
		argv[0] = own;
}

Bool handover_take(struct handover *handover)
{
	struct handover_message message;
	Int fd = memfile_find(HANDOVER_NAME);
	Word n;

	VG_(memset)(handover, 0, sizeof(*handover));
	VG_(memset)(&message, 0, sizeof(message));
	if (fd < 0)
		return False;
	n = syscall_make(__NR_pread64, (UWord)fd, (UWord)&message, sizeof(message), 0, 0);
	syscall_close(fd);
	if (n != (Word)sizeof(message) || !makes_sense(&message))
		return False;
	*handover = message.handover;
	if (handover->image > 0)
		syscall_close(handover->image);
	if (handover->argv0[0] != '\0')
		set_argv0(handover->argv0);
	return True;
}

/*
 * Before exec: makes a file in memory with a message; a path that is too long is left out. Returns
 * its descriptor, to be closed if exec fails, or -1.
 */
static Int give_handover(UInt n_parts, Bool instrumenting, const HChar *path)
{
	struct handover_message message;
	Int fd = memfile_make(HANDOVER_NAME);

	if (fd < 0)
		return -1;
	VG_(memset)(&message, 0, sizeof(message));
	message.magic = HANDOVER_MAGIC;
	message.pid = VG_(getpid)();
	message.handover.n_parts = n_parts;
	message.handover.instrumenting = instrumenting;
	message.handover.image = tool_process.exec.image;
	if (tool_process.exec.is_renamed)
		VG_(strlcpy)(message.handover.argv0, tool_process.exec.argv0, HANDOVER_NAME_SIZE);
	if (VG_(strlen)(path) < HANDOVER_PATH_SIZE)
		VG_(strlcpy)(message.handover.path, path, HANDOVER_PATH_SIZE);
	if (syscall_write(fd, &message, sizeof(message)) == (Word)sizeof(message))
		return fd;
	syscall_close(fd);
	return -1;
}

/* -- by which name a program is executed ------------------------------------------- */

enum {
	NAME_ROOM = 4096, /* bytes of the new name: a page of the program's */
	AUX_NULL = 0,     /* the end of the kernel's auxiliary vector */
	AUX_ENTRY = 9,    /* where the program, or its interpreter, began */
};

static Bool is_file(const HChar *name, const struct vki_stat *file)
{
	struct vki_stat stat;

	return syscall_fstatat(LINUX_AT_FDCWD, name, &stat, 0) == 0 &&
	       stat.st_dev == file->st_dev && stat.st_ino == file->st_ino;
}

/* True if it leads to a link that only the kernel can follow: /proc/self/exe, /dev/fd/3. */
static Bool is_magic(Int dir, const HChar *name)
{
	struct resolved_path target;
	Int root = output_root();
	Bool is;

	if (root < 0)
		return False;
	is = resolved_path_find(&target, root, dir, name) == 0 && target.is_magic;
	resolved_path_release(&target);
	syscall_close(root);
	return is;
}

/* True if an interpreter runs it, with or without "#!". */
static Bool is_script(const HChar *name)
{
	static const HChar elf[] = "\177ELF";
	HChar start[sizeof(elf) - 1] = "";
	Int fd = syscall_openat(LINUX_AT_FDCWD, name, LINUX_O_CLOEXEC, 0);

	if (fd < 0)
		return False;
	syscall_pread(fd, start, sizeof(start), 0);
	syscall_close(fd);
	return VG_(memcmp)(start, elf, sizeof(start)) != 0;
}

/* The process in the name /proc/N/exe; 0: this one. */
static Int process_of(const HChar *name)
{
	static const HChar proc[] = "/proc/";
	Int pid = 0;

	if (VG_(strncmp)(name, proc, sizeof(proc) - 1) != 0)
		return 0;
	for (name += sizeof(proc) - 1; VG_(isdigit)(*name); name++)
		pid = 10 * pid + (*name - '0');
	return *name == '/' ? pid : 0;
}

/* Opens the file as a descriptor that the executed program keeps but cannot reach; or -1. */
static Int keep_open(const HChar *name)
{
	Int fd = syscall_openat(LINUX_AT_FDCWD, name, LINUX_O_CLOEXEC, 0);
	Int kept = fd < 0 ? -1 : syscall_fcntl(fd, VKI_F_DUPFD, (UWord)VG_(fd_hard_limit));

	if (fd >= 0)
		syscall_close(fd);
	return kept;
}

/*
 * Has a file without a name be found by its descriptor, which source names. A traced program is
 * opened only after exec, when the descriptor may be closed. A script's is open then, since its
 * interpreter needs it.
 */
static void name_descriptor(HChar name[NAME_ROOM], const HChar *source, const HChar **argv)
{
	Int kept = VG_(clo_trace_children) && !is_script(source) ? keep_open(source) : -1;

	VG_(snprintf)(name, NAME_ROOM, "/proc/self/fd/%d", kept);
	if (kept >= 0 && VG_(should_we_trace_this_child)(name, argv)) {
		tool_process.exec.image = kept;
		return;
	}
	if (kept >= 0)
		syscall_close(kept);
	VG_(snprintf)(name, NAME_ROOM, "%s", source);
}

/*
 * The path of the interpreter that runs this script: of the file in which execution began; empty if
 * that is gone.
 */
static const HChar *interpreter(void)
{
	const UWord *entry = VG_(client_auxv);
	const NSegment *segment;
	struct vki_stat stat;
	const HChar *path;

	while (entry[0] != AUX_NULL && entry[0] != AUX_ENTRY)
		entry += 2;
	segment = VG_(am_find_nsegment)(entry[1]);
	path = segment != NULL ? VG_(am_get_filename)(segment) : NULL;
	if (path == NULL || syscall_fstatat(LINUX_AT_FDCWD, path, &stat, 0) != 0 ||
	    stat.st_dev != segment->dev || stat.st_ino != segment->ino)
		return "";
	return path;
}

/*
 * True if the process maps the file that source, a link of the kernel's, leads to. Paths are
 * compared: on some file systems, stat and maps show different file numbers.
 */
static Bool is_mapped(Int process, const HChar *source)
{
	HChar path[NAME_ROOM], maps[32], buffer[4096];
	Word len = syscall_readlinkat(LINUX_AT_FDCWD, source, path, NAME_ROOM - 1);
	Word n, at = 0; /* how much of path has matched in this line; -1: it has another path */
	Bool is = False;
	Int fd;

	VG_(snprintf)(maps, sizeof(maps), "/proc/%d/maps", process);
	fd = syscall_openat(LINUX_AT_FDCWD, maps, LINUX_O_CLOEXEC, 0);
	if (fd < 0)
		return False;
	path[len > 0 ? len : 0] = '\n';
	while (len > 0 && !is &&
	       (n = syscall_make(__NR_read, (UWord)fd, (UWord)buffer, sizeof(buffer), 0, 0)) > 0)
		for (Word i = 0; i < n && !is; i++) {
			if (at >= 0 && buffer[i] == path[at])
				is = at++ == len;
			else if (at > 0)
				at = -1;
			if (buffer[i] == '\n')
				at = 0;
		}
	syscall_close(fd);
	return is;
}

/*
 * Finds the kernel's link by which the file that dir and given name can be opened, or an
 * interpreter's path. False: by its own name, which may also be the tool's own file.
 */
static Bool find_source(HChar source[NAME_ROOM], Int dir, const HChar *given,
			const struct vki_stat *file)
{
	HChar process[16] = "self";
	Int fd = dir, pid = 0;

	if (given[0] != '\0') {
		if (!is_magic(dir, given))
			return False;
		if (!is_file("/proc/self/exe", file)) {
			/* A script gets its name as an argument. */
			if (!VG_(clo_trace_children) || given[0] != '/' || is_script(given))
				return False;
			return VG_(strlcpy)(source, given, NAME_ROOM) < NAME_ROOM;
		}
		fd = VG_(cl_exec_fd);
		pid = process_of(given);
		if (pid == VG_(getpid)())
			pid = 0;
		if (pid != 0)
			VG_(snprintf)(process, sizeof(process), "%d", pid);
	}
	VG_(snprintf)(source, NAME_ROOM, "/proc/%s/fd/%d", process, fd);
	if (given[0] != '\0' && pid == 0 && is_script(source))
		VG_(strlcpy)(source, interpreter(), NAME_ROOM);
	else if (pid != 0 && !is_mapped(pid, source))
		source[0] = '\0'; /* there, the program has another descriptor, or is a script */
	return True;
}

/* Finds the name to execute the file that dir and given name by; False: by the same one. */
static Bool find_name(HChar name[NAME_ROOM], Int dir, const HChar *given, Int flags,
		      const HChar **argv)
{
	struct vki_stat file;
	HChar source[NAME_ROOM];
	Word len;

	if (syscall_fstatat(dir, given, &file, flags & LINUX_AT_EMPTY_PATH) != 0 ||
	    !find_source(source, dir, given, &file))
		return False;
	if (syscall_fstatat(LINUX_AT_FDCWD, source, &file, 0) != 0) {
		message_error("%s: the program that runs there cannot be found; what is executed "
			      "is Valgrind's tool",
			      given);
		return False;
	}
	len = syscall_readlinkat(LINUX_AT_FDCWD, source, name, NAME_ROOM - 1);
	name[len > 0 ? len : 0] = '\0';
	if (len == -VKI_EINVAL) /* no link, but a path */
		VG_(strlcpy)(name, source, NAME_ROOM);
	if (name[0] != '/' || !is_file(name, &file))
		name_descriptor(name, source, argv);
	else if (given[0] == '\0')
		return False; /* the core finds the same */
	return True;
}

static Bool is_readable(Addr address, SizeT size)
{
	return VG_(am_is_valid_for_client)(address, size, VKI_PROT_READ);
}

/* Reads argv[0]: empty, if there is none or it does not fit; False if it is not a string. */
static Bool read_argv0(HChar argv0[HANDOVER_NAME_SIZE], Addr text)
{
	const Addr start = text;
	Word n = HANDOVER_NAME_SIZE;

	argv0[0] = '\0';
	for (; text != 0 && n == HANDOVER_NAME_SIZE; text += HANDOVER_NAME_SIZE) {
		n = syscall_read_own(argv0, text, HANDOVER_NAME_SIZE);
		for (Word i = 0; i < n; i++)
			if (argv0[i] == '\0') {
				if (text != start)
					argv0[0] = '\0';
				return True;
			}
	}
	return start == 0;
}

/* Before an exec: the program may get another name, in memory of the program's. */
static VG_REGPARM(1) void name_executed(struct guest *guest)
{
	const Bool at = *guest_word(guest, GUEST_SYSCALL) == __NR_execveat;
	/* The arguments of execveat() begin with a directory. */
	const UInt name_place = guest_syscall_argument(at ? 1 : 0);
	ULong *given = guest_word(guest, name_place);
	const HChar **argv = (const HChar **)*guest_word(guest, guest_syscall_argument(at ? 2 : 1));
	struct renamed_exec *exec = &tool_process.exec;
	HChar name[NAME_ROOM];

	exec->is_renamed = False;
	if (tool_self.sealed || !is_readable(*given, 1) ||
	    !is_readable((Addr)argv, sizeof(*argv)) ||
	    !find_name(name,
		       at ? (Int)*guest_word(guest, guest_syscall_argument(0)) : LINUX_AT_FDCWD,
		       (const HChar *)*given,
		       at ? (Int)*guest_word(guest, guest_syscall_argument(4)) : 0, argv))
		return;
	/* Without a name, the call fails as it would in the kernel; with one, Valgrind would end the run. */
	exec->name = NULL;
	if (read_argv0(exec->argv0, (Addr)argv[0])) {
		exec->name = give_text(name);
		if (exec->name == NULL)
			return;
	}
	exec->is_renamed = True;
	exec->offset = name_place;
	exec->given = *given;
	*given = (Addr)exec->name;
}

/* After the call has failed: restores what was given. */
static void name_as_given(ThreadId tid)
{
	struct renamed_exec *exec = &tool_process.exec;
	Bool need_discard;

	if (exec->is_renamed) {
		guest_write(tid, exec->offset, exec->given);
		if (exec->name != NULL)
			VG_(am_munmap_client)(&need_discard, (Addr)exec->name, VKI_PAGE_SIZE);
	}
	exec->is_renamed = False;
	if (exec->image > 0)
		syscall_close(exec->image);
	exec->image = 0;
}

/* -- fork, exec, seccomp, setuid -------------------------------------------- */

static ULong instructions_so_far(void)
{
	ULong totals[N_EVENTS];

	client_totals(totals);
	return totals[EVENT_IR];
}

static void before_fork(ThreadId tid)
{
	(void)tid;
	deterministic_fork_parent();
	unprofiled_fork();
}

void process_report_unprofiled(void)
{
	HChar name[UNPROFILED_NAME];

	if (VG_(clo_verbosity) == 0 || VG_(clo_trace_children) || dropin_name() != DROPIN_NONE ||
					   tool_self.forked || unprofiled_first(name) == NULL)
		return;
	message_note("children executed other programs (%s), which were not profiled; "
		     "--trace-children=yes does that",
		     name);
}

static void after_fork_in_child(ThreadId tid)
{
	client_fork(tid);
	generated_fork();
	tool_self.at_fork = instructions_so_far();
	tool_self.forked = True;
	tool_self.ending = (struct ending){ .is_over = False };
	deterministic_fork_child();
	output_fork(&tool_output.output);
	companions_fork();
}

/* Has the kernel check the name: it may be a bad pointer, and must not crash the tool. */
static Bool is_executable_file(Int dir, const HChar *name, Int flags)
{
	struct vki_stat stat;

	if (syscall_fstatat(dir, name, &stat,
			    flags & (LINUX_AT_SYMLINK_NOFOLLOW | LINUX_AT_EMPTY_PATH)) != 0 ||
	    (stat.st_mode & VKI_S_IFMT) != VKI_S_IFREG)
		return False;
	if (flags & LINUX_AT_EMPTY_PATH) /* the file is the descriptor itself: look at its mode */
		return (stat.st_mode & 0111) != 0;
	return syscall_faccessat(dir, name, LINUX_X_OK) == 0;
}

/* True if the new image will run under the tool and write a profile of the same name. */
static Bool is_traced(const HChar *name, const HChar **argv)
{
	if (!VG_(am_is_valid_for_client)((Addr)name, 1, VKI_PROT_READ) ||
		 !VG_(am_is_valid_for_client)((Addr)argv, sizeof(*argv), VKI_PROT_READ))
		return False;
	return VG_(should_we_trace_this_child)(name, argv);
}

/* Says that what comes after this program is not seen. */
static void note_untraced(const HChar *name)
{
	if (dropin_name() == DROPIN_NONE)
		message_note("%s is executed in place of it, and not profiled; "
			     "--trace-children=yes does that",
			     name);
}

/* The suffix of the early profile: its number after a dot, or empty. */
static const HChar *early_suffix(HChar suffix[SUFFIX_SIZE])
{
	suffix[0] = '\0';
	if (tool_process.early_part != 0)
		VG_(snprintf)(suffix, SUFFIX_SIZE, ".%u", tool_process.early_part);
	return suffix;
}

/* Writes the profile, unless it is not worth a file. */
static void dump_before_exec(const HChar *name, Bool traced)
{
	const Bool has_profile = !tool_self.forked ||
				 instructions_so_far() - tool_self.at_fork >= FEW_INSTRUCTIONS;
	HChar suffix[SUFFIX_SIZE];

	if (!traced)
		unprofiled_add(name, has_profile);
	if (!has_profile)
		return;
	if (tool_output.output.dir >= 0 && traced)
		tool_process.early_part = output_free_part(&tool_output.output, parts_number());
	if (!dump_profile(early_suffix(suffix), "exec", 0, True))
		tool_process.early_part = 0;
	else if (!traced)
		note_untraced(name);
}

/* The path of an executed program: of the descriptor itself, if name is empty. */
static const HChar *executed_path(Int dir, const HChar *name, HChar path[UNPROFILED_NAME])
{
	HChar found[UNPROFILED_NAME];
	Word len;

	if (name[0] != '\0')
		return name;
	VG_(snprintf)(path, UNPROFILED_NAME, "/proc/self/fd/%d", dir);
	len = syscall_make(__NR_readlink, (UWord)path, (UWord)found, sizeof(found) - 1, 0, 0);
	if (len > 0) {
		found[len] = '\0';
		VG_(strlcpy)(path, found, UNPROFILED_NAME);
	}
	return path;
}

static void before_exec(Int dir, const HChar *name, const HChar **argv, Int flags)
{
	HChar path[UNPROFILED_NAME];
	Bool traced;

	if (tool_self.sealed || !is_executable_file(dir, name, flags))
		return;
	traced = is_traced(name, argv);
	deterministic_exec(traced);
	dump_before_exec(executed_path(dir, name, path), traced);
	if (traced)
		tool_process.handover = give_handover(
			tool_process.early_part != 0 ? tool_process.early_part : parts_number() - 1,
			tool_calls.instrumenting,
			tool_output.output.dir >= 0 ? tool_output.output.path : "");
	if (traced && tool_process.handover < 0)
		message_error(
			"no file in memory for the program that is executed: its profiles may "
			"take the place of this one's");
}

/* Only reached if the exec failed. */
static void after_exec(ThreadId tid)
{
	name_as_given(tid);
	deterministic_exec_failed();
	unprofiled_remove();
	if (tool_process.handover >= 0)
		syscall_close(tool_process.handover);
	tool_process.handover = -1;
	if (tool_process.early_part == 0)
		return;
	dump_withdraw();
	tool_process.early_part = 0;
}

static Bool has_room_for_thread(void)
{
	for (ThreadId tid = 1; tid < VG_N_THREADS; tid++)
		if (!VG_(is_valid_tid)(tid))
			return True;
	return False;
}

static void before_clone(ThreadId tid, UWord flags)
{
	const UWord shared = VKI_CLONE_VM | VKI_CLONE_FS | VKI_CLONE_FILES;

	/* Only what the core takes for a thread. */
	if ((flags & (shared | VKI_CLONE_VFORK)) != shared || has_room_for_thread())
		return;
	message_error("the run ends here: the program has %u threads at a time, and Valgrind has "
		      "no room for more; --max-threads=<n> makes it",
		      VG_N_THREADS - 1);
	ending_exit(tid, 1, True);
	ending_thread_over(tid);
	tool_process.finish("Too many threads");
	VG_(exit)(1);
}

static void before_seccomp(void)
{
	if (tool_self.sealed)
		return;
	message_note("prctl(PR_SET_SECCOMP): the profile is written now, since no file may be "
		     "opened afterwards");
	dump_profile("", "seccomp", 0, True);
	deterministic_seal();
	tool_self.sealed = True;
}

static void before_setuid(void)
{
	if (tool_self.sealed || tool_output.output.held >= 0 || tool_output.output.dir < 0 ||
	    VG_(geteuid)() != 0)
		return;
	if (!dump_profile("", "setuid", 0, False))
		return;
	output_hold(&tool_output.output);
	companions_hold();
}

static void before_syscall(ThreadId tid, UInt number, UWord *args, UInt n_args)
{
	(void)n_args;
	systime_count(tid, number); /* before a profile is written */
	switch (number) {
	case __NR_execve:
		before_exec(LINUX_AT_FDCWD, (const HChar *)args[0], (const HChar **)args[1], 0);
		break;
	case __NR_execveat:
		before_exec((Int)args[0], (const HChar *)args[1], (const HChar **)args[2],
			    (Int)args[4]);
		break;
	case __NR_exit:
	case __NR_exit_group:
		ending_exit(tid, args[0], number == __NR_exit_group);
		break;
	case __NR_kill:
	case __NR_tkill:
		ending_send((Int)args[0], (Int)args[1]);
		break;
	case __NR_tgkill:
		ending_send((Int)args[1], (Int)args[2]);
		break;
	case __NR_clone:
		before_clone(tid, args[0]);
		break;
	case __NR_prctl:
		if (args[0] == LINUX_PR_SET_SECCOMP)
			before_seccomp();
		break;
	case __NR_setuid:
	case __NR_setreuid:
	case __NR_setresuid:
	case __NR_setfsuid:
	case __NR_capset:
		before_setuid();
		break;
	default:
		break;
	}
	deterministic_before_syscall(tid, number, args);
	systime_start(tid);
}

static void after_sigaction(Int signal, const vki_sigaction_toK_t *action)
{
	Bool handler = action->ksa_handler != VKI_SIG_DFL && action->ksa_handler != VKI_SIG_IGN;

	register_updates_handle(&tool_instrument.register_updates, signal, handler);
}

static void after_syscall(ThreadId tid, UInt number, UWord *args, UInt n_args, SysRes result)
{
	(void)n_args;
	systime_end(tid, number, result);
	if (!sr_isError(result))
		faults_see_syscall(number, args);
	deterministic_after_syscall(tid, number, args, result);
	switch (number) {
	case __NR_open:
	case __NR_openat:
	case __NR_creat:
	case LINUX_NR_OPENAT2:
		if (!sr_isError(result))
			generated_opened((Int)sr_Res(result));
		break;
	case __NR_mmap:
		if (!sr_isError(result) && (args[2] & VKI_PROT_EXEC) != 0 && (Int)args[4] >= 0)
			symbols_mapped((Addr)sr_Res(result), (Int)args[4]);
		break;
	case __NR_mprotect:
	case __NR_pkey_mprotect:
		if (!sr_isError(result) && (args[2] & (VKI_PROT_WRITE | VKI_PROT_EXEC)) == 0)
			register_updates_protect(&tool_instrument.register_updates);
		break;
	case __NR_arch_prctl:
		tool_calls.threads.n_changes++; /* it may have set the thread pointer */
		break;
	case __NR_rt_sigaction:
		if (!sr_isError(result) && args[1] != 0)
			after_sigaction((Int)args[0], (const vki_sigaction_toK_t *)args[1]);
		break;
	case __NR_execve:
	case __NR_execveat:
		after_exec(tid);
		break;
	case __NR_prctl:
		if (args[0] == LINUX_PR_SET_SECCOMP && sr_isError(result))
			tool_self.sealed = False;
		break;
	default:
		break;
	}
	register_updates_apply(&tool_instrument.register_updates);
}

void process_init(void (*finish)(const HChar *trigger))
{
	tool_process.finish = finish;
	tool_instrument.before_exec = name_executed;
	tool_process.handover = -1;
	unprofiled_init();
	VG_(atfork)(before_fork, NULL, after_fork_in_child);
	VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
}
