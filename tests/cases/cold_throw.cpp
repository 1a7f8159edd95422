// f() is called 10 times, 7 of them with what it throws for: the compiler puts that elsewhere.
volatile int s;
__attribute__((noinline, cold)) void note(int n) { s += n; }
__attribute__((noinline)) int f(int n)
{
	if (__builtin_expect(n < 7, 0)) {
		note(n);
		note(n + 1);
		throw n;
	}
	s += n;
	return s;
}
int main()
{
	for (int i = 0; i < 10; i++)
		try {
			f(i);
		} catch (int n) {
			s = n;
		}
	return 0;
}
