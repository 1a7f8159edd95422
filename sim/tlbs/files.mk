# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/plaintlbs.c %D%/plaintlbs.h \
	%D%/tlb.c %D%/tlb.h \
	%D%/machinetlbs.c %D%/machinetlbs.h
