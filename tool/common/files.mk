# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/event.c %D%/event.h \
	%D%/filesystem.c %D%/filesystem.h \
	%D%/guest.h \
	%D%/hot_memory.c %D%/hot_memory.h \
	%D%/libcnames.c \
	%D%/message.c %D%/message.h \
	%D%/self.c %D%/self.h \
	%D%/syscall.h \
	%D%/text.c %D%/text.h

TESTED_TOOL_SOURCES += \
	%D%/numbers.h \
	%D%/pattern.h
