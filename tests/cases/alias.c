/* zeta(n) writes s n + 1 times; alpha is another name of it.  area() and volume() are the same code, which a linker may fold. */
static volatile int s;

__attribute__((noinline)) int zeta(int n)
{
	s = 0;
	for (int i = 0; i < n; i++)
		s = i;
	return n;
}

int alpha(int n) __attribute__((alias("zeta")));

__attribute__((noinline)) int area(int n)
{
	s = 1;
	for (int i = 0; i < n; i++)
		s = i + 1;
	return n;
}

__attribute__((noinline)) int volume(int n)
{
	s = 1;
	for (int i = 0; i < n; i++)
		s = i + 1;
	return n;
}

int main(void)
{
	return alpha(1000) + zeta(10) + area(100) + volume(20) == 0;
}
