# SPDX-License-Identifier: GPL-3.0-or-later

UNIT_TESTS += %D%/jitformats_test
