/* faulty.c -- linked into a program with --wrap: the n-th call of a kind fails.
 *
 *   FAULT=memory:17      the 17th of malloc, calloc, realloc, aligned_alloc, strdup gives NULL
 *   FAULT=memory:17+     that one and all after it
 *   FAULT=write:2        the 2nd fwrite() writes half; also flush, sync, close, rename, open
 *                        (open(), fopen(), fdopen()), rights (fchmod), cut (ftruncate)
 *   FAULT_COUNTS=FILE    at the end "KIND calls N" a line, and "KIND site N" for the first call
 *                        from each place of the program (for one thread)
 *
 * What the C library calls by itself (fopen's buffer, qsort's) is not reached. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum kind { MEMORY, WRITE, FLUSH, SYNC, CLOSE, RENAME, OPEN, RIGHTS, CUT, KINDS };
static const char *const names[] = {"memory", "write", "flush",  "sync", "close",
                                    "rename", "open",  "rights", "cut"};
static atomic_ulong calls[KINDS];
static unsigned long fails_at[KINDS], fails_on;
#define SITES_MAX 4096
static struct site {
    enum kind kind;
    unsigned long first;
    uintptr_t place;
} site[SITES_MAX];
static unsigned sites;

FILE *__real_fopen(const char *path, const char *mode);
int __real_fclose(FILE *file);

static void write_counts(void)
{
    FILE *file = __real_fopen(getenv("FAULT_COUNTS"), "w");

    for (int i = 0; file != NULL && i < KINDS; i++)
        fprintf(file, "%s calls %lu\n", names[i], atomic_load(&calls[i]));
    for (unsigned i = 0; file != NULL && i < sites; i++)
        fprintf(file, "%s site %lu\n", names[site[i].kind], site[i].first);
    if (file != NULL)
        __real_fclose(file);
}

__attribute__((constructor)) static void read_environment(void)
{
    const char *fault = getenv("FAULT");

    for (int i = 0; fault != NULL && i < KINDS; i++) {
        size_t length = strlen(names[i]);
        char *end;
        if (strncmp(fault, names[i], length) != 0 || fault[length] != ':')
            continue;
        fails_at[i] = strtoul(fault + length + 1, &end, 10);
        fails_on = *end == '+';
    }
    if (getenv("FAULT_COUNTS") != NULL)
        atexit(write_counts);
}

/* Remember the first call from each place in the program, told by two return addresses. */
static void remember(enum kind kind, unsigned long call, uintptr_t place)
{
    unsigned i = 0;

    while (i < sites && !(site[i].place == place && site[i].kind == kind))
        i++;
    if (i == sites && sites < SITES_MAX)
        site[sites++] = (struct site){kind, call, place};
}

static int fails(enum kind kind, int number, uintptr_t place)
{
    unsigned long call = atomic_fetch_add(&calls[kind], 1) + 1;

    if (getenv("FAULT_COUNTS") != NULL)
        remember(kind, call, place);
    if (fails_at[kind] == 0 || call < fails_at[kind] || (call > fails_at[kind] && !fails_on))
        return 0;
    errno = number;
    return 1;
}

/* of a function that is not inlined; the frames of the program are kept (mk/faults.mk) */
#define PLACE ((uintptr_t)__builtin_return_address(0) * 31 + (uintptr_t)__builtin_return_address(1))
#define WRAP(type, name, parameters, kind, number, arguments, failed)                              \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        return fails(kind, number, PLACE) ? (failed) : __real_##name arguments;                    \
    }

WRAP(void *, malloc, (size_t size), MEMORY, ENOMEM, (size), NULL)
WRAP(void *, calloc, (size_t count, size_t size), MEMORY, ENOMEM, (count, size), NULL)
WRAP(void *, realloc, (void *old, size_t size), MEMORY, ENOMEM, (old, size), NULL)
WRAP(void *, aligned_alloc, (size_t to, size_t size), MEMORY, ENOMEM, (to, size), NULL)
WRAP(char *, strdup, (const char *text), MEMORY, ENOMEM, (text), NULL)
WRAP(int, fflush, (FILE * file), FLUSH, ENOSPC, (file), EOF)
WRAP(int, fsync, (int file), SYNC, EIO, (file), -1)
WRAP(int, rename, (const char *from, const char *to), RENAME, EACCES, (from, to), -1)
WRAP(int, fchmod, (int file, mode_t mode), RIGHTS, EPERM, (file, mode), -1)
WRAP(int, ftruncate, (int file, off_t length), CUT, EIO, (file, length), -1)
WRAP(FILE *, fopen, (const char *path, const char *mode), OPEN, EMFILE, (path, mode), NULL)
WRAP(FILE *, fdopen, (int file, const char *mode), OPEN, ENOMEM, (file, mode), NULL)

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
    va_end(more);
    return fails(OPEN, EMFILE, PLACE) ? -1 : __real_open(path, flags, mode);
}

int __wrap_fclose(FILE *file);
int __wrap_fclose(FILE *file)
{
    int failed = fails(CLOSE, EIO, PLACE), status = __real_fclose(file);

    if (failed)
        errno = EIO;
    return failed ? EOF : status;
}

size_t __real_fwrite(const void *data, size_t size, size_t count, FILE *file);
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file);
size_t __wrap_fwrite(const void *data, size_t size, size_t count, FILE *file)
{
    if (file == stderr || !fails(WRITE, ENOSPC, PLACE))
        return __real_fwrite(data, size, count, file);
    size_t written = __real_fwrite(data, size, count / 2, file);
    errno = ENOSPC;
    return written;
}
