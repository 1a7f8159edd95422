# SPDX-License-Identifier: GPL-3.0-or-later

WRITER_SOURCES += \
	%D%/besidename.h \
	%D%/d_name.h \
	%D%/events.h \
	%D%/optionlist.h \
	%D%/edit_distance.h \
	%D%/size_event.h
