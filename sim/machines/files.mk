# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/hostcaches.c %D%/hostcaches.h \
	%D%/hostmachine.c %D%/hostmachine.h \
	%D%/machinecosts.c %D%/machinecosts.h \
	%D%/machinefile.c %D%/machinefile.h \
	%D%/machinekinds.c %D%/machinekinds.h \
	%D%/machineview.c %D%/machineview.h \
	%D%/phrase.h \
	%D%/presets.h
