/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nlohmann-json: texts that nlohmann's library parses and writes, for scripts/compare-time.
 *
 *	nlohmann-json work		parses one, changes it and writes it; prints a checksum
 *	nlohmann-json [NAME ROUNDS]	sides of pairs, as in rounds.h
 */
#include <nlohmann/json.hpp>

#include <string>

#include "tests/bench/time/jsontext.h"
#include "tests/bench/time/rounds.h"

namespace
{

using nlohmann::json;

std::string text; /* what all rounds parse */

void set_up(size_t records)
{
	char *written = write_json((uint32_t)records);

	text = written;
	free(written);
}

uint64_t sum_of(const json &value)
{
	uint64_t sum = 0;

	if (value.is_structured())
		for (const json &member : value)
			sum += sum_of(member);
	else if (value.is_number())
		sum = (uint64_t)value.get<double>();
	return sum;
}

uint64_t parse_all(uint64_t)
{
	return sum_of(json::parse(text));
}

/* Takes the numbers as they come. */
struct adder : nlohmann::json_sax<json> {
	uint64_t sum = 0;

	bool null() override { return true; }
	bool boolean(bool) override { return true; }
	bool number_integer(int64_t number) override { sum += (uint64_t)number; return true; }
	bool number_unsigned(uint64_t number) override { sum += number; return true; }
	bool number_float(double number, const std::string &) override { sum += (uint64_t)number; return true; }
	bool string(std::string &) override { return true; }
	bool binary(json::binary_t &) override { return true; }
	bool start_object(size_t) override { return true; }
	bool key(std::string &) override { return true; }
	bool end_object() override { return true; }
	bool start_array(size_t) override { return true; }
	bool end_array() override { return true; }
	bool parse_error(size_t, const std::string &, const json::exception &) override { return false; }
};

uint64_t parse_events(uint64_t)
{
	adder handler;

	require(json::sax_parse(text, &handler), "text");
	return handler.sum;
}

uint64_t work()
{
	uint64_t sum = 0;

	set_up(20000);
	for (int i = 0; i < 4; i++) {
		json records = json::parse(text);

		for (json &record : records) {
			record["rank"] = record["score"].get<double>() / 2 + (double)record["tags"].size();
			record.erase("known");
		}
		text = records.dump(i % 2 == 0 ? -1 : 2);
		sum = checksum_add(sum_of(records), text.size());
	}
	return sum;
}

const struct rounds sides[] = {
	{ "nlohmann-events-fast", 1, parse_events, set_up, 4000 },
	{ "nlohmann-events-slow", 1, parse_all, set_up, 4000 },
};

} /* namespace */

int main(int argc, char **argv)
{
	if (argc == 2)
		return report("nlohmann-json", work());
	return rounds_main(sides, sizeof(sides) / sizeof(sides[0]), argc, argv);
}
