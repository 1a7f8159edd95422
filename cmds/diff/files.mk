# SPDX-License-Identifier: GPL-3.0-or-later

COMMAND_SOURCES += \
	%D%/diff.c %D%/diff.h \
	%D%/diffdocument.c \
	%D%/difflimits.c %D%/difflimits.h \
	%D%/diffpair.c %D%/diffpair.h \
	%D%/diffprofile.c %D%/diffprofile.h \
	%D%/diffreport.c %D%/diffreport.h \
	%D%/movedfolder.c %D%/movedfolder.h \
	%D%/samecode.c %D%/samecode.h \
	%D%/updown.c %D%/updown.h
