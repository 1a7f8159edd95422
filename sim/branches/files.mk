# SPDX-License-Identifier: GPL-3.0-or-later

SIM_SOURCES += \
	%D%/ittage.c %D%/ittage.h \
	%D%/predictor.c %D%/predictor.h \
	%D%/tage.c %D%/tage.h \
	%D%/tagged.c %D%/tagged.h
