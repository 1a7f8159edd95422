# SPDX-License-Identifier: GPL-3.0-or-later

TOOL_SOURCES += %D%/monitor.c %D%/request.c %D%/request.h %D%/status.c
