/* whole_file.c -- see whole_file.h. */
#include "whole_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as many as Linux follows */

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

int whole_file_prepare(struct whole_file *self, const char *option, const char *path,
                       struct error *err)
{
    static const char pattern[] = ".cuckoo_sim.XXXXXX"; /* short: the name may be the longest */
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
    self->temporary = malloc(folder + sizeof pattern);
    if (self->temporary == NULL)
        return error_set(err, ERR_MEMORY, "%s %s: %s", option, path, error_text(ERR_MEMORY));
    memcpy(self->temporary, self->path, folder);
    self->temporary[folder] = '\0';
    const char *written = self->direct ? self->path : folder > 0 ? self->temporary : ".";
    if (access(written, W_OK) != 0)
        return refuse(option, path, strerror(errno), err);
    memcpy(self->temporary + folder, pattern, sizeof pattern);
    return ERR_NONE;
}

/* The rights of the file that is replaced, or those that the umask leaves to a new one. */
static int set_rights(const struct whole_file *self, FILE *file)
{
    mode_t mask = umask(0);

    umask(mask);
    return fchmod(fileno(file), self->mode != 0 ? self->mode : 0666 & ~mask);
}

/* Write, close, and in the end report the first thing that went wrong. */
static int fill(const struct whole_file *self, FILE *file, const char *data, size_t length)
{
    int failed = 0;

    if ((length > 0 && fwrite(data, 1, length, file) != length) || fflush(file) != 0)
        failed = errno;
    if (failed == 0 && !self->direct && (set_rights(self, file) != 0 || fsync(fileno(file)) != 0))
        failed = errno;
    if (fclose(file) != 0 && failed == 0)
        failed = errno;
    errno = failed;
    return failed == 0 ? ERR_NONE : ERR_IO;
}

static int replace(const struct whole_file *self, char *temporary, const char *data, size_t length)
{
    int descriptor = mkstemp(temporary);

    if (descriptor < 0)
        return ERR_IO;
    FILE *file = fdopen(descriptor, "w");
    int code = ERR_IO;
    if (file != NULL)
        code = fill(self, file, data, length);
    else
        close(descriptor);
    if (code == ERR_NONE && rename(temporary, self->path) == 0)
        return ERR_NONE;
    int failed = errno;
    remove(temporary);
    errno = failed;
    return ERR_IO;
}

int whole_file_write(const struct whole_file *self, const char *data, size_t length)
{
    if (self->direct) {
        FILE *file = fopen(self->path, "w");
        return file != NULL ? fill(self, file, data, length) : ERR_IO;
    }
    char *temporary = strdup(self->temporary); /* mkstemp() fills the pattern in */
    if (temporary == NULL)
        return ERR_IO;
    int code = replace(self, temporary, data, length);
    int failed = errno;
    free(temporary);
    errno = failed;
    return code;
}

void whole_file_free(struct whole_file *self)
{
    free(self->path);
    free(self->temporary);
    memset(self, 0, sizeof *self);
}
