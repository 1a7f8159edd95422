# SPDX-License-Identifier: GPL-3.0-or-later
# Counts words and turns lines around.
use strict;
use warnings;
my (%count, @lines);
while (<STDIN>) {
	$count{lc $1}++ while /([a-z]+)/g;
	push @lines, join ' ', reverse split;
}
printf "%s %d\n", $_, $count{$_} for sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
print scalar(grep { /hit.*miss/ } @lines), "\n";
