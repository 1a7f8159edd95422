/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that are in one profile only are sorted by name, then by their file's path read backwards: then
 * the file of NEW whose path ends most like one of OLD is next to it, before or behind.  What is before the
 * common end of both is a pair of folders; the pair that most functions have wins.
 */
#include "cmds/diff/movedfolder.h"

#include <stdlib.h>
#include <string.h>

#include "cmds/cli/complaint.h"

/* A function in one profile only, of a file in a folder. */
struct lonely {
	struct name function, file;
	bool is_new;
};

/* Folders of two functions: the first bytes of paths. */
struct folder_pair {
	const char *old_path, *new_path;
	size_t old_len, new_len;
};

static int compare_bytes(const char *a, size_t a_len, const char *b, size_t b_len)
{
	int order = memcmp(a, b, a_len < b_len ? a_len : b_len);

	if (order == 0 && a_len != b_len)
		order = a_len < b_len ? -1 : 1;
	return order;
}

/* How many bytes two paths have in common at their ends. */
static size_t common_end(const struct name *a, const struct name *b)
{
	size_t n = 0;

	while (n < a->len && n < b->len && a->text[a->len - 1 - n] == b->text[b->len - 1 - n])
		n++;
	return n;
}

static int compare_backwards(const struct name *a, const struct name *b)
{
	size_t n = common_end(a, b);

	if (n == a->len || n == b->len)
		return (a->len > n) - (b->len > n);
	return (unsigned char)a->text[a->len - 1 - n] < (unsigned char)b->text[b->len - 1 - n] ? -1
											       : 1;
}

static int compare_lonely(const void *left, const void *right)
{
	const struct lonely *a = left, *b = right;
	int order =
		compare_bytes(a->function.text, a->function.len, b->function.text, b->function.len);

	return order ? order : compare_backwards(&a->file, &b->file);
}

static int compare_pairs(const void *left, const void *right)
{
	const struct folder_pair *a = left, *b = right;
	int order = compare_bytes(a->old_path, a->old_len, b->old_path, b->old_len);

	return order ? order : compare_bytes(a->new_path, a->new_len, b->new_path, b->new_len);
}

static size_t list_lonely(const struct difference *difference, struct lonely *list)
{
	size_t n = 0;

	for (size_t row = 0; row < difference->n_rows; row++) {
		const struct difference_row *r = &difference->rows[row];
		struct name file;

		if (r->old_function != MODEL_NO_FUNCTION && r->new_function != MODEL_NO_FUNCTION)
			continue;
		file = difference_name(difference, row, NAME_FILE);
		if (memchr(file.text, '/', file.len))
			list[n++] = (struct lonely){
				difference_name(difference, row, NAME_FUNCTION),
				file,
				r->old_function == MODEL_NO_FUNCTION,
			};
	}
	return n;
}

/*
 * The bytes of the end that two paths share by whole components, with the slash before; 0 if not even
 * the file is called the same, or if nothing would be left of one of them.
 */
static size_t shared_components(const struct name *a, const struct name *b)
{
	size_t n = common_end(a, b);

	while (n > 0 && (a->text[a->len - n] != '/' || n == a->len || n == b->len))
		n--;
	return n;
}

/* The function's partner of the other profile: the neighbour with more in common; NULL = none. */
static const struct lonely *find_partner(const struct lonely *list, size_t n, size_t i)
{
	const struct lonely *best = NULL;
	size_t most = 0;

	for (size_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; j++) {
		size_t shared;

		if (list[j].is_new == list[i].is_new ||
		    compare_bytes(list[i].function.text, list[i].function.len,
				  list[j].function.text, list[j].function.len) != 0)
			continue;
		shared = shared_components(&list[i].file, &list[j].file);
		if (shared > most) {
			most = shared;
			best = &list[j];
		}
	}
	return best;
}

static size_t list_pairs(const struct lonely *list, size_t n, struct folder_pair *pairs)
{
	size_t n_pairs = 0;

	for (size_t i = 0; i < n; i++) {
		const struct lonely *partner = list[i].is_new ? NULL : find_partner(list, n, i);
		size_t shared;

		/* Of one file in two objects, no folder has moved. */
		if (!partner || dictionary_compare(&list[i].file, &partner->file) == 0)
			continue;
		shared = shared_components(&list[i].file, &partner->file);
		pairs[n_pairs++] = (struct folder_pair){ list[i].file.text, partner->file.text,
							 list[i].file.len - shared,
							 partner->file.len - shared };
	}
	return n_pairs;
}

bool moved_folder_find(struct moved_folder *moved, const struct difference *difference,
		       struct arena *arena)
{
	size_t room = difference->n_rows + 1, n, n_pairs, most = 0, end;
	struct lonely *list = arena_alloc(arena, room * sizeof(*list), sizeof(void *));
	struct folder_pair *pairs = arena_alloc(arena, room * sizeof(*pairs), sizeof(void *));
	const struct folder_pair *best = NULL;

	*moved = (struct moved_folder){ .n = 0 };
	if (!list || !pairs)
		return false;
	n = list_lonely(difference, list);
	qsort(list, n, sizeof(*list), compare_lonely);
	n_pairs = list_pairs(list, n, pairs);
	qsort(pairs, n_pairs, sizeof(*pairs), compare_pairs);
	for (size_t i = 0; i < n_pairs; i = end) {
		for (end = i + 1; end < n_pairs && compare_pairs(&pairs[i], &pairs[end]) == 0;)
			end++;
		if (end - i > most) {
			most = end - i;
			best = &pairs[i];
		}
	}
	if (2 * most <= n_pairs)
		return true;
	moved->old_folder = arena_copy(arena, best->old_path, best->old_len);
	moved->new_folder = arena_copy(arena, best->new_path, best->new_len);
	moved->n = most;
	return moved->old_folder && moved->new_folder;
}

/* Whether one folder is the other, or in it. */
static bool is_in(const char *folder, const char *other)
{
	size_t len = strlen(other);

	return strncmp(folder, other, len) == 0 && (folder[len] == '/' || folder[len] == '\0');
}

bool moved_folder_warn(const struct moved_folder *moved, const char *command)
{
	const char *from = moved->old_folder, *to = moved->new_folder;

	if (moved->n == 0 || strchr(from, '=') || strchr(to, '='))
		return false;
	/* The option changes the names of both profiles: if OLD's folder has NEW's in it, it leads back. */
	if (is_in(to, from)) {
		from = moved->new_folder;
		to = moved->old_folder;
	}
	warn(command,
	     "the folder %s of OLD seems to be %s in NEW: --source-map=%s=%s makes %zu function%s "
	     "the same",
	     moved->old_folder, moved->new_folder, from, to, moved->n, moved->n == 1 ? "" : "s");
	return true;
}
