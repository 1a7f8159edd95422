/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shared.h"

#include <dlfcn.h>

static volatile long times = 10;

static ALONE long own(long n)
{
	return read_cell(n) + 1;
}

int main(void)
{
	long (*volatile plugged)(long) = 0;
	long sum = own(times);

#ifdef LINKED
	plugged = plug;
#else
	void *plugin = dlopen("./plugin.so", RTLD_NOW);

	if (plugin)
		plugged = (long (*)(long))dlsym(plugin, "plug");
#endif
	if (!plugged)
		return 2;
	sum += work(times);
	sum += plugged(times);
	return sum == 0;
}
