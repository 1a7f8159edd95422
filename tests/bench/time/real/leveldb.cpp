/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * leveldb: a store of LevelDB, for scripts/compare-time.
 *
 *	leveldb work		fills it, compacts it and reads it; prints a checksum
 *	leveldb [NAME ROUNDS]	sides of pairs, as in rounds.h
 */
#include <leveldb/cache.h>
#include <leveldb/db.h>
#include <leveldb/write_batch.h>

#include <string>

#include "tests/bench/time/rounds.h"

namespace
{

const char FOLDER[] = "time/leveldb.db"; /* in the bench's, where all programs run */

enum { RECORDS = 60000, BATCH = 100, STEP = 7919 /* has no divisor in common with RECORDS */ };

leveldb::DB *store;
uint64_t random_state = 1;

std::string key_of(uint32_t number)
{
	char text[20];

	snprintf(text, sizeof(text), "key%012u", number);
	return text;
}

/* A hundred bytes, half of which compression saves. */
std::string new_value()
{
	std::string value;

	while (value.size() < 50)
		value += (char)('a' + random_below(&random_state, 20));
	return value + value;
}

void check(const leveldb::Status &status)
{
	require(status.ok(), status.ToString().c_str());
}

/* Memory for all records, so that tables are written when it is compacted, and not while another thread reads. */
void fill(size_t cache_size)
{
	leveldb::Options options;
	leveldb::WriteBatch batch;

	options.create_if_missing = true;
	options.write_buffer_size = 64 << 20;
	options.block_cache = leveldb::NewLRUCache(cache_size);
	check(leveldb::DestroyDB(FOLDER, options));
	check(leveldb::DB::Open(options, FOLDER, &store));
	for (uint32_t i = 0; i < RECORDS; i++) {
		batch.Put(key_of(i * STEP % RECORDS), new_value());
		if (i % BATCH == BATCH - 1) {
			check(store->Write(leveldb::WriteOptions(), &batch));
			batch.Clear();
		}
	}
	store->CompactRange(nullptr, nullptr);
}

uint64_t get(uint32_t number)
{
	std::string value;

	check(store->Get(leveldb::ReadOptions(), key_of(number), &value));
	return (uint8_t)value[0] + value.size();
}

uint64_t read_in_order(uint64_t count)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += get(i);
	return sum;
}

uint64_t read_at_random(uint64_t count)
{
	uint64_t sum = 0, state = 1;

	for (uint32_t i = 0; i < count; i++)
		sum += get(random_below(&state, RECORDS));
	return sum;
}

uint64_t iterate()
{
	leveldb::Iterator *at = store->NewIterator(leveldb::ReadOptions());
	uint64_t sum = 0;

	for (at->SeekToFirst(); at->Valid(); at->Next())
		sum = checksum_add(sum, (uint64_t)at->key()[14] << 8 | (uint8_t)at->value()[0]);
	delete at;
	return sum;
}

uint64_t work()
{
	uint64_t sum;

	fill(1 << 20);
	sum = read_at_random(RECORDS);
	for (int i = 0; i < 4; i++)
		sum = checksum_add(sum, iterate());
	delete store;
	return sum;
}

const struct rounds sides[] = {
	{ "leveldb-order-fast", 20000, read_in_order, fill, 32 << 20 },
	{ "leveldb-order-slow", 20000, read_at_random, fill, 32 << 20 },
	{ "leveldb-cache-fast", 10000, read_at_random, fill, 32 << 20 },
	{ "leveldb-cache-slow", 10000, read_at_random, fill, 0 },
};

} /* namespace */

int main(int argc, char **argv)
{
	if (argc == 2)
		return report("leveldb", work());
	return rounds_main(sides, sizeof(sides) / sizeof(sides[0]), argc, argv);
}
