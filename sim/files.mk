# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/basics.h \
	%D%/cache.c %D%/cache.h \
	%D%/called.c %D%/called.h \
	%D%/coherence.c %D%/coherence.h \
	%D%/cores.c %D%/cores.h \
	%D%/cpuid.h \
	%D%/geometry.c %D%/geometry.h \
	%D%/lastlevel.c %D%/lastlevel.h \
	%D%/lower.c %D%/lower.h \
	%D%/machine.c %D%/machine.h \
	%D%/machinelayout.h \
	%D%/plain.c %D%/plain.h \
	%D%/policy.c %D%/policy.h \
	%D%/shorttags.h \
	%D%/stamped.h
