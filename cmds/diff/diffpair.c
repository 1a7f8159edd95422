/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two profiles of a comparison: baselines, whether runs are alike, and folders of sources that have moved. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/cli/commands.h"
#include "cmds/cli/complaint.h"
#include "cmds/diff/diff.h"
#include "profile/analysis/difference.h"
#include "profile/common/error.h"
#include "profile/common/heap.h"

/* -- baselines ------------------------------------------------------------- */

/*
 * Baselines: profiles that are kept, by name, in a folder of the repository, to be
 * compared with later.  The folder is ".costgrind" in the nearest folder, from the
 * current one upwards, that has it or is the top of a repository (has ".git");
 * else in the current one.  The file of NAME is NAME.cg.
 */

static const char folder_name[] = ".costgrind";

bool baseline_name_is_valid(const char *name)
{
	enum { MAX_LENGTH = 100 };
	size_t len = strlen(name);
	size_t valid = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-");

	return len > 0 && len <= MAX_LENGTH && valid == len && !strchr("._-", name[0]);
}

char *baseline_folder(const char *chosen)
{
	char *here = chosen ? NULL : getcwd(NULL, 0);
	char *found = chosen ? heap_copy(chosen) : NULL;
	size_t len = here ? strlen(here) : 0;

	while (here && !found) {
		char *own = heap_print("%.*s/%s", (int)len, here, folder_name);
		char *git = heap_print("%.*s/.git", (int)len, here);

		if (access(own, F_OK) == 0 || access(git, F_OK) == 0)
			found = own;
		else
			free(own);
		free(git);
		if (len == 0)
			break;
		while (len > 0 && here[len - 1] != '/')
			len--;
		len -= len > 0; /* the slash; 0 is the root */
	}
	free(here);
	return found ? found : heap_copy(folder_name);
}

char *baseline_path(const char *folder, const char *name, bool create, const char *command)
{
	char *own = baseline_folder(folder);
	char *path = NULL;

	if (create && mkdir(own, 0777) != 0 && errno != EEXIST)
		complain(command, "%s: %s", own, strerror(errno));
	else
		path = heap_print("%s/%s.cg", own, name);
	free(own);
	return path;
}

/* The baseline in a file of the folder: its name's length, before ".cg"; 0 = it is none. */
static size_t baseline_len(const char *file)
{
	static const char suffix[] = ".cg";
	size_t len = strlen(file), suffix_len = sizeof(suffix) - 1;

	return len > suffix_len && baseline_name_is_valid(file) &&
			       strcmp(file + len - suffix_len, suffix) == 0
		       ? len - suffix_len
		       : 0;
}

static int is_baseline(const struct dirent *entry)
{
	return baseline_len(entry->d_name) > 0;
}

/*
 * The baseline that a profile is named after, or of "a.new", "a.b.new" the longest one; n if there is
 * none.  A profile's name may go on after a dot: "parse.new" goes with "parse".
 */
static size_t find_baseline_of(struct dirent *const *entries, size_t n, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t found = n, most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t len = baseline_len(entries[i]->d_name);

		if (len > most && strncmp(entries[i]->d_name, name, len) == 0 &&
		    (name[len] == '\0' || name[len] == '.')) {
			found = i;
			most = len;
		}
	}
	return found;
}

int baselines_check_complete(const char *folder, const char *against, char *const *paths, size_t n,
			     const char *command)
{
	char *own = baseline_folder(folder);
	struct dirent **entries = NULL;
	int n_entries = scandir(own, &entries, is_baseline, alphasort);
	bool *has = heap_zeroed((size_t)(n_entries > 0 ? n_entries : 0) + 1, sizeof(*has));
	int code = EXIT_FINE;

	if (n_entries < 0) {
		complain(command, "%s: %s", own, strerror(errno));
		code = EXIT_FAILED;
	}
	for (size_t i = 0; code == EXIT_FINE && i < n; i++) {
		if (access(paths[i], F_OK) != 0) {
			complain(command, "%s: %s", paths[i], strerror(errno));
			code = EXIT_FAILED;
		}
		has[find_baseline_of(entries, (size_t)n_entries, paths[i])] = true;
	}
	for (int i = 0; i < n_entries; i++) {
		const char *name = entries[i]->d_name;
		size_t len = baseline_len(name);

		if (code != EXIT_FAILED && !has[i] &&
		    !(against && strlen(against) == len && strncmp(against, name, len) == 0)) {
			complain(
				command,
				"%s/%s: the baseline has no partner: no profile is compared with it",
				own, name);
			code = EXIT_LIMIT;
		}
		free(entries[i]);
	}
	free(entries);
	free(has);
	free(own);
	return code;
}

/* -- whether both can be compared ----------------------------------------------------------- */

enum {
	MAX_MINOR = 8,  /* lines about minor matters */
	MAX_VALUE = 60, /* bytes of what one run says: lists of options have thousands */
	VALUE_TEXT = MAX_VALUE + 8,
};

static const char *said(const char *text)
{
	return text && text[strspn(text, " \t")] ? text : "(not said)";
}

/* The bytes that two texts begin with alike, up to the beginning of a word. */
static size_t common_words(const char *a, const char *b)
{
	size_t n = 0, words = 0;

	for (; a[n] != '\0' && a[n] == b[n]; n++)
		if (a[n] == ' ')
			words = n + 1;
	return words;
}

/* What of a text follows its first bytes, with dots for these and for what is too long. */
static void print_value(char out[VALUE_TEXT], const char *text, size_t from)
{
	size_t len = strlen(text + from), most = len > MAX_VALUE ? MAX_VALUE : len;

	/* Characters are not torn apart. */
	while (most < len && most > 0 && ((unsigned char)text[from + most] & 0xc0) == 0x80)
		most--;
	snprintf(out, VALUE_TEXT, "%s%.*s%s", from > 0 ? "..." : "", (int)most, text + from,
		 most < len ? "..." : "");
}

/* Says by a complaint or a warning what is unlike: of long texts, unless whole, what follows what they have in common. */
static void say_unlike(void (*say)(const char *command, const char *format, ...),
		       const char *command, const struct mismatch *unlike, bool is_whole)
{
	const char *old_text = said(unlike->old_text), *new_text = said(unlike->new_text);
	bool is_long = strlen(old_text) > MAX_VALUE || strlen(new_text) > MAX_VALUE;
	size_t from = is_long ? common_words(old_text, new_text) : 0;
	char old_value[VALUE_TEXT], new_value[VALUE_TEXT];

	if (is_whole) {
		say(command, "%s: OLD %s, NEW %s", unlike->what, old_text, new_text);
		return;
	}
	print_value(old_value, old_text, from);
	print_value(new_value, new_text, from);
	say(command, "%s: OLD %s, NEW %s", unlike->what, old_value, new_value);
}

static bool is_grave(const struct mismatch *unlike, bool may_differ)
{
	return !unlike->is_minor && !((unlike->is_of_machine || unlike->is_end) && may_differ);
}

int diffpair_check(const struct model *old_model, const struct model *new_model,
		   const char *command, bool is_forced, bool may_differ,
		   const struct option_common *common)
{
	struct mismatch *list;
	struct arena arena;
	size_t n = 0, n_grave = 0, n_minor = 0;
	bool is_refused;
	int code = EXIT_FINE;

	arena_init(&arena);
	comparability_check(old_model, new_model, &arena, &list, &n);
	for (size_t i = 0; i < n; i++)
		n_grave += is_grave(&list[i], may_differ);
	/*
	 * Complains of what cannot be compared.  If it is only how the runs ended, the program has changed
	 * and not how it was measured: a gate fails.  Else warns of everything, except that only some minor
	 * differences are listed: a new distribution has many.
	 */
	is_refused = n_grave > 0 && !is_forced;
	if (is_refused)
		code = EXIT_LIMIT;
	for (size_t i = 0; i < n; i++) {
		const struct mismatch *unlike = &list[i];

		if (is_refused ? !is_grave(unlike, may_differ)
			       : common->quiet || (unlike->is_minor && ++n_minor > MAX_MINOR))
			continue;
		say_unlike(is_refused ? complain : warn, command, unlike, common->verbose > 0);
		if (is_refused && !unlike->is_end)
			code = EXIT_FAILED;
	}
	if (is_refused)
		complain(command, "the runs are not comparable; --force compares them anyway");
	else if (n_minor > MAX_MINOR)
		warn(command, "%zu more builds and the like differ", n_minor - MAX_MINOR);
	arena_release(&arena);
	return code;
}

/* -- folders that have moved ---------------------------------------------------------------- */

/*
 * Functions that are in one profile only are sorted by name, then by their file's path read backwards: the
 * file of NEW whose path ends most like one of OLD is then its neighbour.  What precedes the common end of
 * both is a pair of folders; the pair that most functions have wins.
 */
/* A function that is in one profile only, or has moved from or to there, of a file in a folder. */
struct lonely {
	struct name function, file;
	bool is_new;
};

/* Folders of two functions: the first bytes of their paths. */
struct folder_pair {
	struct name old_folder, new_folder;
};

/* How many bytes two paths have in common at their ends. */
static size_t common_end(const struct name *a, const struct name *b)
{
	size_t n = 0;

	while (n < a->len && n < b->len && a->text[a->len - 1 - n] == b->text[b->len - 1 - n])
		n++;
	return n;
}

static int compare_lonely(const void *left, const void *right)
{
	const struct lonely *a = left, *b = right;
	int order = dictionary_compare(&a->function, &b->function);

	size_t n = common_end(&a->file, &b->file), a_left = a->file.len - n,
	       b_left = b->file.len - n;

	if (order || a_left == 0 || b_left == 0)
		return order ? order : (a_left > 0) - (b_left > 0);
	return (unsigned char)a->file.text[a_left - 1] < (unsigned char)b->file.text[b_left - 1]
		       ? -1
		       : 1;
}

static int compare_pairs(const void *left, const void *right)
{
	const struct folder_pair *a = left, *b = right;
	int order = dictionary_compare(&a->old_folder, &b->old_folder);

	return order ? order : dictionary_compare(&a->new_folder, &b->new_folder);
}

static size_t list_lonely(const struct difference *difference, struct lonely *list)
{
	size_t n = 0;

	for (size_t row = 0; row < difference->n_rows; row++) {
		const struct difference_row *r = &difference->rows[row];
		const bool is_in[2] = { r->old_function != MODEL_NO_FUNCTION,
					r->new_function != MODEL_NO_FUNCTION };

		if (is_in[0] && is_in[1] && !difference_moved(difference, row))
			continue;
		for (size_t i = 0; i < 2; i++) {
			struct name file;

			if (!is_in[i])
				continue;
			file = i == 0 ? difference_old_name(difference, row, NAME_FILE)
				      : difference_name(difference, row, NAME_FILE);
			if (memchr(file.text, '/', file.len))
				list[n++] = (struct lonely){
					difference_name(difference, row, NAME_FUNCTION),
					file,
					i == 1,
				};
		}
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
		    dictionary_compare(&list[i].function, &list[j].function) != 0)
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
		pairs[n_pairs] = (struct folder_pair){ list[i].file, partner->file };
		pairs[n_pairs].old_folder.len -= shared;
		pairs[n_pairs++].new_folder.len -= shared;
	}
	return n_pairs;
}

/* The pair of folders that most functions of the pairs have; *most is how many. */
static const struct folder_pair *find_most(struct folder_pair *pairs, size_t n, size_t *most)
{
	const struct folder_pair *best = NULL;
	size_t end;

	*most = 0;
	qsort(pairs, n, sizeof(*pairs), compare_pairs);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && compare_pairs(&pairs[i], &pairs[end]) == 0;)
			end++;
		if (end - i > *most) {
			*most = end - i;
			best = &pairs[i];
		}
	}
	return best;
}

void moved_folder_warn(const struct difference *difference, const char *command)
{
	size_t room = 2 * difference->n_rows + 1;
	struct lonely *list = heap_alloc(room * sizeof(*list));
	struct folder_pair *pairs = heap_alloc(room * sizeof(*pairs));
	size_t n = list_lonely(difference, list), n_pairs, most;
	const struct folder_pair *best;

	qsort(list, n, sizeof(*list), compare_lonely);
	n_pairs = list_pairs(list, n, pairs);
	best = find_most(pairs, n_pairs, &most);
	/* The option cannot name a folder with '='. */
	if (2 * most > n_pairs && !memchr(best->old_folder.text, '=', best->old_folder.len) &&
	    !memchr(best->new_folder.text, '=', best->new_folder.len)) {
		char *old_folder = heap_copy_part(best->old_folder.text, best->old_folder.len);
		char *new_folder = heap_copy_part(best->new_folder.text, best->new_folder.len);
		size_t len = best->old_folder.len;
		/*
		 * The option changes the names of both profiles: if OLD's folder has NEW's in it, it leads
		 * back.
		 */
		bool leads_back = strncmp(new_folder, old_folder, len) == 0 &&
				  (new_folder[len] == '/' || new_folder[len] == '\0');

		warn(command,
		     "the folder %s of OLD seems to be %s in NEW: --source-map=%s=%s puts %zu "
		     "function%s in the same file",
		     old_folder, new_folder, leads_back ? new_folder : old_folder,
		     leads_back ? old_folder : new_folder, most, most == 1 ? "" : "s");
		free(old_folder);
		free(new_folder);
	}
	free(list);
	free(pairs);
}
