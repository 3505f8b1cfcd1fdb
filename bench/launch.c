/* launch.c -- runs a command and says on standard error what it took:
 *
 *   launch COMMAND [ARGUMENT ...]
 * prints "took CPU WALL PEAK", seconds of all its processors, of the clock, and bytes.  A program
 * of its own, since a process starts out with the peak of the one that starts it, and Python's
 * is larger than what is measured. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

int main(int argc, char **argv)
{
    struct timespec start, end;
    struct rusage usage;
    int status;

    if (argc < 2)
        return 2;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = fork();
    if (child == 0) {
        execv(argv[1], argv + 1);
        perror(argv[1]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    fprintf(stderr, "took %.6f %.6f %ld\n", seconds(usage.ru_utime) + seconds(usage.ru_stime),
            (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec),
            usage.ru_maxrss * 1024L);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
