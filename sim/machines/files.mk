# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/hostcaches.c %D%/hostcaches.h \
	%D%/hostmachine.c %D%/hostmachine.h \
	%D%/machinecosts.c %D%/machinecosts.h \
	%D%/machinefile.c %D%/machinefile.h \
	%D%/phrase.h
