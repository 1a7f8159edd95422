# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += \
	%D%/self.h \
	%D%/dropin.c %D%/dropin.h \
	%D%/ending.c %D%/ending.h \
	%D%/event.c %D%/event.h \
	%D%/guest.h \
	%D%/libcnames.c %D%/libcnames.h \
	%D%/longrun.c %D%/longrun.h \
	%D%/mappings.c %D%/mappings.h \
	%D%/memfile.c %D%/memfile.h \
	%D%/message.c %D%/message.h \
	%D%/hot_memory.c %D%/hot_memory.h \
	%D%/ordering.h \
	%D%/owed.h \
	%D%/pool.c %D%/pool.h \
	%D%/syscall.h \
	%D%/resolved_path.c %D%/resolved_path.h \
	%D%/text.c %D%/text.h

TESTED_TOOL_SOURCES += \
	%D%/pattern.c %D%/pattern.h
