/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The core's strerror() is not for tools, so the errors that can occur here have a table. */
#include "tool/common/message.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"

#include "tool/common/filesystem.h"
#include "tool/common/syscall.h"
#include "writer/escape.h"

enum {
	MESSAGE_SIZE = 8192,   /* bytes; enough for a path and the rest of the line */
	LONGEST_CHARACTER = 4, /* bytes, in UTF-8 */
};

/* Bytes of the character at the start of text; 0 if a profile would not keep it. */
static SizeT character_length(const HChar *text)
{
	for (SizeT n = 1; n <= LONGEST_CHARACTER && text[n - 1] != '\0'; n++)
		if (escape_text_fits(text, n))
			return n;
	return 0;
}

void message_clean(HChar *text)
{
	while (*text != '\0') {
		const SizeT n = character_length(text);

		if (n == 0)
			*text = '?';
		text += n > 0 ? n : 1;
	}
}

void message_fatal(const HChar *format, ...)
{
	HChar text[MESSAGE_SIZE];
	va_list args;
	UInt len = VG_(snprintf)(text, sizeof(text), "costgrind: ");

	va_start(args, format);
	VG_(vsnprintf)(text + len, (Int)(sizeof(text) - len - 1), format, args);
	va_end(args);
	message_clean(text);
	len = (UInt)VG_(strlen)(text);
	text[len] = '\n';
	VG_(write)(2, text, (Int)len + 1);
	VG_(exit)(1);
}

__attribute__((format(printf, 1, 0))) static void message_line(const HChar *format, va_list args)
{
	HChar text[MESSAGE_SIZE];

	VG_(vsnprintf)(text, sizeof(text), format, args);
	message_clean(text);
	VG_(umsg)("costgrind: %s\n", text);
}

void message_error(const HChar *format, ...)
{
	va_list args;

	va_start(args, format);
	message_line(format, args);
	va_end(args);
}

void message_note(const HChar *format, ...)
{
	va_list args;

	if (VG_(clo_verbosity) == 0)
		return;
	va_start(args, format);
	message_line(format, args);
	va_end(args);
}

static const struct {
	Int error;
	const HChar *reason;
} reasons[] = {
	{ VKI_EPERM, "operation not permitted" },
	{ VKI_ENOENT, "no such file or directory" },
	{ VKI_EIO, "input/output error" },
	{ VKI_ENXIO, "no reader at the other end" },
	{ VKI_EBADF, "bad file descriptor" },
	{ VKI_ENOMEM, "out of memory" },
	{ VKI_EACCES, "permission denied" },
	{ VKI_EBUSY, "device or resource busy" },
	{ VKI_EEXIST, "file exists" },
	{ VKI_ENOTDIR, "not a directory" },
	{ VKI_EISDIR, "is a directory" },
	{ VKI_EINVAL, "invalid argument" },
	{ VKI_ENFILE, "too many open files in the system" },
	{ VKI_EMFILE, "too many open files" },
	{ VKI_ETXTBSY, "text file busy" },
	{ VKI_EFBIG, "file too large" },
	{ VKI_ENOSPC, "no space left on device" },
	{ VKI_EROFS, "read-only file system" },
	{ VKI_EPIPE, "broken pipe" },
	{ LINUX_ENAMETOOLONG, "file name too long" },
	{ VKI_ELOOP, "too many levels of symbolic links" },
	{ VKI_EXDEV, "another file system" },
	{ LINUX_EDQUOT, "disk quota exceeded" },
	{ RESOLVED_PATH_FOREIGN, "another user's file or link, in a directory that all may write" },
};

const HChar *message_reason(Int error)
{
	static HChar other[32]; /* for errors that are not in the table */

	for (UInt i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].error == error)
			return reasons[i].reason;
	VG_(snprintf)(other, sizeof(other), "error number %d", error);
	return other;
}
