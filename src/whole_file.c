/* whole_file.c -- see whole_file.h. */
#include "whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LINKS_MAX 40   /* as many as Linux follows */
#define WAITS_MAX 1000 /* of 10 ms each, for another process that writes the same file */

/* Beside the file, and the same at every run: what a kill left is taken up by the next one.
 * Short, since the file's own name may be the longest that there is. */
#define TEMPORARY ".cuckoo_sim.%016" PRIx64

/* The name behind symbolic links, also where nothing stands there yet; NULL with errno. */
static char *follow_links(const char *path)
{
    char *name = strdup(path);

    for (int links = 0; name != NULL && links <= LINKS_MAX; links++) {
        char target[PATH_MAX];
        ssize_t length = readlink(name, target, sizeof target - 1);
        if (length < 0)
            return name;
        target[length] = '\0';
        const char *slash = strrchr(name, '/');
        int folder = target[0] == '/' || slash == NULL ? 0 : (int)(slash - name) + 1;
        char *joined = malloc((size_t)folder + (size_t)length + 1);
        if (joined != NULL)
            sprintf(joined, "%.*s%s", folder, name, target);
        free(name);
        name = joined;
    }
    int code = name != NULL ? ELOOP : ENOMEM;
    free(name);
    errno = code;
    return NULL;
}

static int refuse(const char *option, const char *path, const char *why, struct error *err)
{
    return error_set(err, ERR_IO, "%s %s: %s", option, path, why);
}

/* FNV-1a. */
static uint64_t name_hash(const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return hash;
}

int whole_file_prepare(struct whole_file *self, const char *option, const char *path,
                       struct error *err)
{
    struct stat status;
    int exists = stat(path, &status) == 0;

    memset(self, 0, sizeof *self);
    if (exists && S_ISDIR(status.st_mode))
        return refuse(option, path, "this is a folder, a file is needed", err);
    if (!exists && errno != ENOENT)
        return refuse(option, path, strerror(errno), err);
    self->direct = exists && !S_ISREG(status.st_mode);
    self->mode = exists ? status.st_mode & 0777 : 0;
    /* /dev/stdout is a link to what has no name that could be opened */
    self->path = self->direct ? strdup(path) : follow_links(path);
    if (self->path == NULL)
        return refuse(option, path, strerror(errno), err);
    const char *slash = strrchr(self->path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - self->path) + 1 : 0;
    size_t size = folder + sizeof TEMPORARY + 16;
    self->temporary = malloc(size);
    if (self->temporary == NULL)
        return error_set(err, ERR_MEMORY, "%s %s: %s", option, path, error_text(ERR_MEMORY));
    memcpy(self->temporary, self->path, folder);
    self->temporary[folder] = '\0';
    const char *written = self->direct ? self->path : folder > 0 ? self->temporary : ".";
    if (access(written, W_OK) != 0)
        return refuse(option, path, strerror(errno), err);
    snprintf(self->temporary + folder, size - folder, TEMPORARY, name_hash(self->path + folder));
    return ERR_NONE;
}

/* The rights of the file that is replaced, or those that the umask leaves to a new one. */
static mode_t wanted_rights(const struct whole_file *self)
{
    mode_t mask = umask(0);

    umask(mask);
    return self->mode != 0 ? self->mode : 0666 & ~mask;
}

/* Write, close, and in the end report the first thing that went wrong. */
static int fill(const struct whole_file *self, FILE *file, const char *data, size_t length)
{
    int failed = 0;

    errno = 0;
    if ((length > 0 && fwrite(data, 1, length, file) != length) || fflush(file) != 0)
        failed = errno != 0 ? errno : EIO;
    if (failed == 0 && !self->direct && fsync(fileno(file)) != 0)
        failed = errno;
    if (fclose(file) != 0 && failed == 0)
        failed = errno;
    errno = failed;
    return failed == 0 ? ERR_NONE : ERR_IO;
}

/* Is it the file of this name, or one that another process has meanwhile put in its place? */
static int has_name(int descriptor, const char *name)
{
    struct stat own, there;

    return fstat(descriptor, &own) == 0 && stat(name, &there) == 0 && own.st_dev == there.st_dev &&
           own.st_ino == there.st_ino;
}

/* The temporary file, empty and ours alone: the lock ends with the process, whatever ends it.
 * Where the file system knows no locks there is none.  -1 with errno. */
static int open_temporary(const char *name)
{
    static const struct timespec pause = {.tv_nsec = 10000000};

    for (int waits = 0; waits < WAITS_MAX; waits++) {
        int descriptor = open(name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (descriptor < 0)
            return -1;
        int taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!taken && has_name(descriptor, name)) {
            if (ftruncate(descriptor, 0) == 0)
                return descriptor;
            int failed = errno;
            unlink(name);
            close(descriptor);
            errno = failed;
            return -1;
        }
        close(descriptor);
        if (taken)
            nanosleep(&pause, NULL);
    }
    errno = EBUSY;
    return -1;
}

static int replace(const struct whole_file *self, const char *data, size_t length)
{
    int lock = open_temporary(self->temporary);
    mode_t rights = wanted_rights(self);

    if (lock < 0)
        return ERR_IO;
    int descriptor = dup(lock); /* fclose() must not end the lock */
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    int code = ERR_IO;
    if (file != NULL)
        code = fill(self, file, data, length);
    else if (descriptor >= 0)
        close(descriptor);
    /* until it has its name it must stay writable, for the next run after a kill */
    if (code == ERR_NONE &&
        (fchmod(lock, rights | S_IWUSR) != 0 || rename(self->temporary, self->path) != 0))
        code = ERR_IO;
    int failed = errno;
    if (code != ERR_NONE)
        remove(self->temporary);
    else if (!(rights & S_IWUSR))
        fchmod(lock, rights);
    close(lock);
    errno = failed;
    return code;
}

int whole_file_write(const struct whole_file *self, const char *data, size_t length)
{
    if (!self->direct)
        return replace(self, data, length);
    FILE *file = fopen(self->path, "w");
    return file != NULL ? fill(self, file, data, length) : ERR_IO;
}

void whole_file_free(struct whole_file *self)
{
    free(self->path);
    free(self->temporary);
    memset(self, 0, sizeof *self);
}
