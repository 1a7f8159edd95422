# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/commands.h \
	%D%/launch.c %D%/launch.h \
	%D%/loader.c %D%/loader.h \
	%D%/outfile.c %D%/outfile.h \
	%D%/viewcommand.c %D%/viewcommand.h

TESTED_COMMAND_SOURCES += \
	%D%/complaint.c %D%/complaint.h \
	%D%/inputs.c %D%/inputs.h \
	%D%/option.c %D%/option.h \
	%D%/profileio.c %D%/profileio.h
