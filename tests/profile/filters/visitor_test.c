/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a filter does not change is forwarded; what nobody listens to is ignored. */
#include "tests/common/check.h"

#include "profile/common/visitor.h"

static const struct part part = { .n_events = 1 };
static const struct place place = { .has_object = true };
static const struct position at = { 0x1000, 7 };
static const uint64_t costs[] = { 42 };
static const struct call call = { .count = 3 };
static const struct jump jump = { .executed = 4 };

/* A letter for each call, which returns `status`. */
struct log {
	char text[16];
	size_t len;
	bool differs; /* something did not arrive as it was sent */
	int status;
};

static int note(void *ctx, char letter, bool same)
{
	struct log *log = ctx;

	log->text[log->len++] = letter;
	log->differs |= !same;
	return log->status;
}

static int log_part(void *ctx, const struct part *p)
{
	return note(ctx, 'P', p == &part);
}

static int log_place(void *ctx, const struct place *p)
{
	return note(ctx, 'p', p == &place);
}

static int log_cost(void *ctx, const struct position *p, const uint64_t *c, size_t n)
{
	return note(ctx, 'c', p == &at && c == costs && n == 1);
}

static int log_call(void *ctx, const struct call *c)
{
	return note(ctx, 'C', c == &call);
}

static int log_jump(void *ctx, const struct jump *j)
{
	return note(ctx, 'j', j == &jump);
}

static int log_part_end(void *ctx, const struct part *p)
{
	return note(ctx, 'E', p == &part);
}

static int log_negative(void *ctx)
{
	return note(ctx, 'n', true);
}

/* One of each; the statuses as bits by their order. */
static unsigned report_all(const struct visitor *to)
{
	return (unsigned)(visitor_negative(to) == PROFILE_STOPPED) |
	       (unsigned)(visitor_part(to, &part) == PROFILE_STOPPED) << 1 |
	       (unsigned)(visitor_place(to, &place) == PROFILE_STOPPED) << 2 |
	       (unsigned)(visitor_cost(to, &at, costs, 1) == PROFILE_STOPPED) << 3 |
	       (unsigned)(visitor_call(to, &call) == PROFILE_STOPPED) << 4 |
	       (unsigned)(visitor_jump(to, &jump) == PROFILE_STOPPED) << 5 |
	       (unsigned)(visitor_part_end(to, &part) == PROFILE_STOPPED) << 6;
}

static struct visitor listener(struct log *log)
{
	return (struct visitor){
		.ctx = log,
		.part = log_part,
		.place = log_place,
		.cost = log_cost,
		.call = log_call,
		.jump = log_jump,
		.part_end = log_part_end,
		.negative = log_negative,
	};
}

TEST(forwards_all)
{
	static const struct visitor nothing = { 0 };
	struct log log = { .status = PROFILE_OK };
	const struct visitor end = listener(&log);
	struct visitor_filter first, second;

	visitor_filter_init(&second, &end, &nothing);
	visitor_filter_init(&first, &second.visitor, &nothing);
	CHECK_EQ_U64(report_all(&first.visitor), 0);
	CHECK_STR(log.text, "nPpcCjE");
	CHECK(!log.differs);
	log.status = PROFILE_STOPPED;
	CHECK_EQ_U64(report_all(&first.visitor), 0x7f);
}

/* What is reported twice after it. */
static int twice(void *ctx, const struct call *c)
{
	struct visitor_filter *filter = ctx;
	int status = visitor_call(filter->to, c);

	return status ? status : visitor_call(filter->to, c);
}

TEST(changes_and_holds_back)
{
	struct log log = { .status = PROFILE_OK };
	const struct visitor end = listener(&log);
	struct visitor_filter filter;

	visitor_filter_init(&filter, &end, &(struct visitor){ .call = twice });
	CHECK_EQ_U64(report_all(&filter.visitor), 0);
	CHECK_STR(log.text, "nPpcCCjE");
	filter.visitor.jump = NULL;
	filter.visitor.place = NULL;
	log = (struct log){ .status = PROFILE_STOPPED };
	CHECK_EQ_U64(report_all(&filter.visitor), 0x5b);
	CHECK_STR(log.text, "nPcCE");
}

TEST(ignores_what_nobody_hears)
{
	static const struct visitor nobody = { 0 };
	struct visitor_filter filter;

	CHECK_EQ_U64(report_all(&nobody), 0);
	visitor_filter_init(&filter, &nobody, &(struct visitor){ .call = twice });
	CHECK_EQ_U64(report_all(&filter.visitor), 0);
}

int main(void)
{
	static const struct check_test tests[] = {
		CHECK_TEST(forwards_all),
		CHECK_TEST(changes_and_holds_back),
		CHECK_TEST(ignores_what_nobody_hears),
	};

	return check_run(tests, sizeof(tests) / sizeof(tests[0]));
}
