# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/cachegrind.c %D%/cachegrind.h \
	%D%/history.h \
	%D%/ittage.c %D%/ittage.h \
	%D%/loops.c %D%/loops.h \
	%D%/ownhistory.h \
	%D%/predictor.c %D%/predictor.h \
	%D%/returns.h \
	%D%/tage.c %D%/tage.h \
	%D%/tagged.c %D%/tagged.h %D%/tagged_avx2.c \
	%D%/targetbuffer.c %D%/targetbuffer.h
