/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rapidjson: texts that RapidJSON parses and writes, for scripts/compare-time.
 *
 *	rapidjson work		parses one, and writes it; prints a checksum
 *	rapidjson [NAME ROUNDS]	sides of pairs, as in rounds.h
 */
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <string>

#include "tests/bench/time/jsontext.h"
#include "tests/bench/time/rounds.h"

namespace
{

std::string text; /* what all rounds parse */

void set_up(size_t records)
{
	char *written = write_json((uint32_t)records);

	text = written;
	free(written);
}

template <typename Value> uint64_t sum_of(const Value &value)
{
	uint64_t sum = 0;

	if (value.IsObject())
		for (const auto &member : value.GetObject())
			sum += sum_of(member.value);
	else if (value.IsArray())
		for (const auto &member : value.GetArray())
			sum += sum_of(member);
	else if (value.IsString())
		sum = value.GetStringLength();
	else if (value.IsNumber())
		sum = (uint64_t)value.GetDouble();
	return sum;
}

/* Values are in blocks of one pool, or each in memory of its own. */
template <typename Allocator> uint64_t parse(uint64_t)
{
	rapidjson::GenericDocument<rapidjson::UTF8<>, Allocator> document;

	document.Parse(text.c_str());
	require(!document.HasParseError(), "text");
	return sum_of(document);
}

uint64_t work()
{
	uint64_t sum = 0;

	set_up(30000);
	for (int i = 0; i < 12; i++) {
		rapidjson::Document document;
		rapidjson::StringBuffer buffer;
		rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);

		document.Parse(text.c_str());
		require(!document.HasParseError(), "text");
		document.Accept(writer);
		sum = checksum_add(sum, sum_of(document) + buffer.GetSize());
	}
	return sum;
}

const struct rounds sides[] = {
	{ "rapidjson-pool-fast", 1, parse<rapidjson::MemoryPoolAllocator<>>, set_up, 10000 },
	{ "rapidjson-pool-slow", 1, parse<rapidjson::CrtAllocator>, set_up, 10000 },
};

} /* namespace */

int main(int argc, char **argv)
{
	if (argc == 2)
		return report("rapidjson", work());
	return rounds_main(sides, sizeof(sides) / sizeof(sides[0]), argc, argv);
}
