# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/callwork.c %D%/callwork.h \
	%D%/codechoice.c %D%/codechoice.h \
	%D%/codelisting.c %D%/codelisting.h \
	%D%/codework.c %D%/codework.h \
	%D%/machinecode.c %D%/machinecode.h
