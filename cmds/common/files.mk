# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/commands.h \
	%D%/cachegrind.c %D%/cachegrind.h \
	%D%/complaint.c %D%/complaint.h \
	%D%/inputs.c %D%/inputs.h \
	%D%/merge_reader.c %D%/merge_reader.h \
	%D%/launch.c %D%/launch.h \
	%D%/loader.c %D%/loader.h \
	%D%/loading.c %D%/loading.h \
	%D%/naming.c %D%/naming.h \
	%D%/option.c %D%/option.h \
	%D%/outfile.c %D%/outfile.h \
	%D%/printout.c %D%/printout.h \
	%D%/progress.c %D%/progress.h \
	%D%/runwords.c %D%/runwords.h \
	%D%/profile_writer.c %D%/profile_writer.h \
	%D%/staleness.h \
	%D%/wholefile.c %D%/wholefile.h

# What unit tests link.
HOST_SOURCES += \
	%D%/cachegrind.c %D%/cachegrind.h \
	%D%/merge_reader.c %D%/merge_reader.h \
	%D%/progress.c %D%/progress.h

# What writes the data of a report, but for machine code, and its page; for its fuzz target.
REPORT_SOURCES += \
	%D%/complaint.c
