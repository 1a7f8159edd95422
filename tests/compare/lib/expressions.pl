# SPDX-License-Identifier: GPL-3.0-or-later
# Reads names, substitutions and results, three lines each, and runs the substitutions the way that
# cg_diff does.  Names those whose result is another one, and says how many there were.
use strict;
use warnings;

my @lines = grep { chomp; $_ ne "" && !/^#/ } <STDIN>;
my ($n, $wrong) = (0, 0);
while (my ($name, $expression, $want) = splice(@lines, 0, 3)) {
	my $tmpFuncName = $name;
	# Where cg_diff is when it comes to this: the rest of a line that was taken apart.
	local $_ = "";
	no warnings;
	eval "\$tmpFuncName =~ $expression";
	$n++;
	next if $@ eq "" && $tmpFuncName eq $want;
	$wrong++;
	print "$name =~ $expression: perl makes '$tmpFuncName' of it, not '$want' $@\n";
}
print "$n expressions, $wrong wrong\n";
exit($wrong != 0 || $n == 0);
