/* trace_svg.c -- see trace_svg.h. */
#include "trace_svg.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRIPT "draw_diagrams.py"

/* 1 if `folder`/SCRIPT can be read; its path is left in `script`. */
static int look_in(const char *folder, char *script, size_t size)
{
    int length = snprintf(script, size, "%s/" SCRIPT, folder);

    return length > 0 && (size_t)length < size && access(script, R_OK) == 0;
}

/* Beside the program, above it (it is built into build/), in the share/ of an installed one,
 * or here. */
static int find_script(char *script, size_t size)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);

    for (int level = 0; level < 2 && length > 0; level++) {
        program[length] = '\0';
        char *slash = strrchr(program, '/');
        if (slash == NULL || slash == program)
            break;
        *slash = '\0';
        length = slash - program;
        if (look_in(program, script, size))
            return 1;
    }
    if (length > 0) { /* the folder above that of the program */
        snprintf(program + length, sizeof program - (size_t)length, "/share/cuckoo_sim");
        if (look_in(program, script, size))
            return 1;
    }
    return look_in(".", script, size);
}

int trace_svg(const char *steps, const char *picture, struct error *err)
{
    char script[PATH_MAX + sizeof SCRIPT];
    const char *python = getenv("PYTHON");
    pid_t child;
    int status;

    if (!find_script(script, sizeof script))
        return error_set(err, ERR_IO,
                         "trace: --svg %.80s: " SCRIPT " is not beside the program; run it from "
                         "the folder of its source",
                         picture);
    if (python == NULL || python[0] == '\0')
        python = "python3";
    char *words[] = {(char *)python, script,          (char *)"--trace",
                     (char *)steps,  (char *)picture, NULL};
    int failed = posix_spawnp(&child, python, NULL, NULL, words, environ);
    if (failed != 0)
        return error_set(err, ERR_IO, "trace: --svg %.80s: %.60s: %s", picture, python,
                         strerror(failed));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return error_set(err, ERR_IO, "trace: --svg %.80s: %s", picture, strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return ERR_NONE;
    return error_set(err, ERR_IO, "trace: --svg %.80s: " SCRIPT " failed", picture);
}
