# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/tlb.c %D%/tlb.h \
	%D%/machinetlbs.c %D%/machinetlbs.h
