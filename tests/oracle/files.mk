# SPDX-License-Identifier: GPL-3.0-or-later

ORACLE_SOURCES = %D%/oracle.c
