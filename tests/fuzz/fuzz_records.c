/* fuzz_records.c -- checkpoint and shard files.  The checksum at the end is made to fit, so
 * that what lies behind it is reached; tests/cli has those that do not fit. */
#include "program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/record_text.h"

/* The setting that the checkpoints of the corpus were made with. */
static const char *const checkpoint_of[] = {
    "run",     "--measure", "fail",   "--candidates", "2",        "--bucket",    "1",
    "--slots", "64",        "--keys", "28",           "--search", "original:20", "--stash",
    "2",       "--trials",  "40",     "--threads",    "1",        "--checkpoint"};
#define CHECKPOINT_WORDS (sizeof checkpoint_of / sizeof checkpoint_of[0])

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *words[CHECKPOINT_WORDS + 1] = {"merge"};
    size_t body = size;
    char *text = malloc(size + 64);

    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    /* without the last line, where there is one: it is written anew */
    if (body > 0 && text[body - 1] == '\n')
        for (body--; body > 0 && text[body - 1] != '\n';)
            body--;
    int tail = snprintf(text + body, 64, "end %016" PRIx64 "\n", record_checksum(text, body));
    const char *path = program_file((const uint8_t *)text, body + (size_t)tail);
    words[1] = path;
    program_run(words, 2, 1);
    memcpy(words, checkpoint_of, sizeof checkpoint_of);
    words[CHECKPOINT_WORDS] = path;
    program_run(words, CHECKPOINT_WORDS + 1, 1);
    free(text);
    return 0;
}
