/* fuzz_words.c -- the command line: the input is the words, each ended by a 0 byte. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *words[64];
    size_t count = 0;
    char *copy = malloc(size + 1);

    if (copy == NULL)
        return 0;
    memcpy(copy, data, size);
    copy[size] = '\0';
    for (size_t at = 0; at < size && count < 64; at += strlen(copy + at) + 1)
        words[count++] = copy + at;
    program_run(words, count, 0);
    free(copy);
    return 0;
}
