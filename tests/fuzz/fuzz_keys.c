/* fuzz_keys.c -- files of keys. */
#include "program.h"

#include "../../src/keyfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = program_file(data, size);
    const char *words[] = {"run",      "--measure", "fail",     "--load", "0.5",
                           "--trials", "1",         "--keyset", path};

    program_run(words, sizeof words / sizeof words[0], size < 4096);
    return 0;
}
